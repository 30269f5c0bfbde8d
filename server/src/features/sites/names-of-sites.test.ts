import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrationsDir, readMigrations } from '../../platform/db/migrate.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'

let database: TestDatabase
const tenantId = uuidv7()
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

it.each(['sites', 'site_groups'])('%s that are older keep their names; the second of two that look the same gets a mark', async (table) => {
  const { db } = database
  await sql`insert into tenants (id, name) values (${tenantId}, 'One') on conflict do nothing`.execute(db)
  const of = sql.ref(table)
  // as it was before
  await sql`drop function folded_name(text) cascade`.execute(db)
  for (const each of ['sites', 'site_groups'])
    await sql`alter table ${sql.ref(each)} add column name_folded text collate "C" generated always as (lower(name)) stored`.execute(db)
  const ids = []
  for (const name of ['Tidy', 'North East', 'NORTH  East', 'far\u00a0 away', 'a\u0085b']) {
    const id = uuidv7()
    ids.push(id)
    await sql`insert into ${of} (tenant_id, id, name) values (${tenantId}, ${id}, ${name})`.execute(db)
  }
  await sql.raw(readMigrations(migrationsDir).find(({ name }) => name === '0029-names-of-sites.sql')?.text ?? '').execute(db)
  const { rows } = await sql<{ name: string; folded: string }>`select name, name_folded as folded from ${of} order by id`.execute(db)
  const mark = ids[2]?.slice(-6) ?? ''
  expect(rows).toEqual([
    { name: 'Tidy', folded: 'tidy' },
    { name: 'North East', folded: 'north east' },
    { name: `NORTH  East (${mark})`, folded: `north east (${mark})` },
    { name: 'far\u00a0 away', folded: 'far away' },
    { name: 'a\u0085b', folded: 'a\u0085b' },
  ])
})
