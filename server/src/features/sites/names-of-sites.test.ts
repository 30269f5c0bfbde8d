import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrationsDir, readMigrations } from '../../platform/db/migrate.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'

let database: TestDatabase
const [tenantId, targetId] = [uuidv7(), uuidv7()]
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const SITES = ['Tidy', 'North East', 'North  East', 'far\u00a0 away', 'Far   Away', 'Old  Mill', 'a\u0085b']
const tidy = () =>
  sql.raw(readMigrations(migrationsDir).find(({ name }) => name === '0029-names-of-sites.sql')?.text ?? '').execute(database.db)
const names = async () =>
  (
    await sql<{ name: string; revision: number; state: string; group: string }>`
    select s.name, g.name as group, g.revision, g.state from sites s join target_groups g on g.key = s.id::text
    order by s.id`.execute(database.db)
  ).rows

it('sites that are older get one space between words, the first of two that look the same, and their groups at targets are to follow', async () => {
  const { db } = database
  await sql`insert into tenants (id, name) values (${tenantId}, 'One')`.execute(db)
  await sql`
    insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type)
    values (${tenantId}, ${targetId}, 'Workplace', 'scim', 'target', 'target')`.execute(db)
  for (const name of SITES)
    await sql`insert into sites (tenant_id, id, name, active) values (${tenantId}, ${uuidv7()}, ${name}, ${name !== 'Old  Mill'})`.execute(
      db,
    )
  await sql`
    insert into target_groups (tenant_id, target_id, id, origin, key, name, state, attempts)
    select tenant_id, ${targetId}, id, 'site', id::text, name, 'inStep', 2 from sites`.execute(db)
  await tidy()
  const asBefore = (name: string) => ({ name, group: name, revision: 1, state: 'inStep' })
  expect(await names()).toEqual([
    asBefore('Tidy'),
    asBefore('North East'),
    asBefore('North  East'),
    { name: 'far away', group: 'far away', revision: 2, state: 'pending' },
    asBefore('Far   Away'),
    // the group of a closed site stays as it is
    { ...asBefore('Old  Mill'), name: 'Old Mill' },
    asBefore('a\u0085b'),
  ])
  const before = await names()
  await tidy()
  expect(await names()).toEqual(before)
})
