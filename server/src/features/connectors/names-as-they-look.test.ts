import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrationsDir, readMigrations } from '../../platform/db/migrate.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector } from '../../testing/people.ts'

let database: TestDatabase
const tenantId = uuidv7()
const adminId = uuidv7()
beforeAll(async () => {
  database = await testDatabase()
  await sql`insert into tenants (id, name) values (${tenantId}, 'One')`.execute(database.db)
  await sql`insert into admins (tenant_id, id, issuer, subject, name, email, roles)
    values (${tenantId}, ${adminId}, 'test', 'one', 'One', 'one@example.com', '{admin.tenant}')`.execute(database.db)
  // as it was before
  for (const [table, key] of [
    ['connectors', 'tenant_id'],
    ['saved_views', 'tenant_id, admin_id'],
  ] as const) {
    await sql`alter table ${sql.ref(table)} drop column name_folded`.execute(database.db)
    await sql`alter table ${sql.ref(table)} add column name_folded text collate "C" generated always as (lower(name)) stored`.execute(
      database.db,
    )
    await sql`alter table ${sql.ref(table)} add constraint ${sql.ref(`${table}_name_unique`)} unique (${sql.raw(key)}, name_folded)`.execute(
      database.db,
    )
  }
})
afterAll(() => database.close())

const NAMES = ['Tidy', 'North East', 'NORTH  East', 'far\u00a0 away']
const withMark = (id: string | undefined) => ['Tidy', 'North East', `NORTH  East (${id?.slice(-6)})`, 'far\u00a0 away']

it('connectors, views and attributes that are older keep their names; the second of two that look the same gets a mark', async () => {
  const { db } = database
  const ids: Record<'connectors' | 'views' | 'attributes', string[]> = { connectors: [], views: [], attributes: [] }
  for (const name of NAMES) {
    ids.connectors.push(await addConnector(db, { tenantId, name }))
    const [view, attribute] = [uuidv7(), uuidv7()]
    await sql`insert into saved_views (tenant_id, admin_id, id, name, state, created_at)
      values (${tenantId}, ${adminId}, ${view}, ${name}, '{}', now())`.execute(db)
    await sql`insert into claim_fields (tenant_id, id, position, display_name, type, created_at)
      values (${tenantId}, ${attribute}, ${ids.attributes.length}, ${name}, 'text', now())`.execute(db)
    ids.views.push(view)
    ids.attributes.push(attribute)
  }
  await sql.raw(readMigrations(migrationsDir).find(({ name }) => name === '0031-names-as-they-look.sql')?.text ?? '').execute(db)
  const namesOf = async (table: string, column: string) => {
    const { rows } = await sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.ref(table)} order by id`.execute(db)
    return rows.map(({ name }) => name)
  }
  expect(await namesOf('connectors', 'name')).toEqual(withMark(ids.connectors[2]))
  expect(await namesOf('saved_views', 'name')).toEqual(withMark(ids.views[2]))
  expect(await namesOf('claim_fields', 'display_name')).toEqual(withMark(ids.attributes[2]))
})
