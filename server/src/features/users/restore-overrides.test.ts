import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople, linkPeople } from '../../testing/people.ts'
import { restoreOverrides } from './restore-overrides.ts'

const tenantId = uuidv7()
let database: TestDatabase
let connectorId: string

beforeAll(async () => {
  database = await testDatabase()
  await database.db.insertInto('tenants').values({ id: tenantId, name: 'T' }).execute()
  connectorId = await addConnector(database.db, { tenantId, name: 'HR' })
  await addConnector(database.db, { tenantId, name: 'Workplace', kind: 'target', ingestionType: 'target', definitionId: 'scim' })
})
afterAll(() => database.close())
beforeEach(() => sql`truncate users, events cascade`.execute(database.db))

const at = new Date('2026-02-03T04:05:06Z')
const by = { actor: { kind: 'system' as const, id: null, name: 'Instep' }, at, correlationId: uuidv7() }
const every = sql`select user_id, field from user_overrides where tenant_id = ${tenantId}`
const restore = (pairs = every) => database.db.transaction().execute((tx) => restoreOverrides(tx, { tenantId, pairs, why: 'restored', by }))

/** Somebody from the source with these overrides, which are in force. */
const overridden = async (values: Record<string, unknown>, more: Parameters<typeof addPeople>[2][number] = {}) => {
  const { db } = database
  const [id = ''] = await addPeople(db, { tenantId, connectorId }, [{ title: 'Baker', overridden: true, ...more }])
  await linkPeople(db, { tenantId, connectorId }, [id])
  await sql`
    insert into user_overrides (tenant_id, user_id, field, value, by, at)
    select ${tenantId}, ${id}, key, value, '{}', now() from jsonb_each(${JSON.stringify(values)}::jsonb)`.execute(db)
  return id
}
const people = async () =>
  (await database.db.selectFrom('users').selectAll().orderBy('title').execute()).map(({ title, version, overridden }) => ({
    title,
    version,
    overridden,
  }))
const events = async () =>
  (
    await sql<{ type: string; subject_id: string; data: object; before: object; after: object }>`
  select type, subject_id, data, before, after from events order by subject_id`.execute(database.db)
  ).rows

it('leaves locked people alone, and counts them', async () => {
  await overridden({ title: 'Countess', department: 'X' }, { locked: true })
  expect(await restore()).toEqual({ restored: 0, people: 0, leftAlone: 2 })
  expect(await events()).toEqual([])
})

it('leaves an external id that somebody else has been given', async () => {
  const id = await overridden({ externalId: 'NEW', title: 'Countess' }, { external_id: 'OLD' })
  await sql`update users set external_id = 'NEW' where id = ${id}`.execute(database.db)
  await addPeople(database.db, { tenantId, connectorId }, [{ external_id: 'OLD' }])
  expect(await restore()).toEqual({ restored: 1, people: 1, leftAlone: 1 })
})

it('leaves an external id alone that somebody of another source has by now, where both reach a target', async () => {
  const other = await addConnector(database.db, { tenantId, name: 'Contractors' })
  await addPeople(database.db, { tenantId, connectorId: other }, [{ external_id: 'OLD' }])
  const id = await overridden({ externalId: 'NEW' }, { external_id: 'OLD' })
  expect(await restore(sql`select ${id}::uuid as user_id, 'externalId' as field`)).toEqual({ restored: 0, people: 0, leftAlone: 1 })
})

it('finds nothing where nothing is overridden', async () => {
  await addPeople(database.db, { tenantId, connectorId }, [{}])
  const pairs = sql`select id as user_id, 'title' as field from users`
  expect(await restore(pairs)).toEqual({ restored: 0, people: 0, leftAlone: 0 })
  expect(await people()).toMatchObject([{ version: 1 }])
})

it('lets the sources count again, says so of each person, and tells the targets', async () => {
  const first = await overridden({ title: 'Countess', familyName: 'Lovelace', manager: 'NW-7', managerReferenceType: 'externalId' })
  const second = await overridden({ title: 'Cook', department: 'Pastry' })
  await sql`update users set title = 'Countess', family_name = 'Lovelace', display_name = 'Ada Lovelace' where id = ${first}`.execute(
    database.db,
  )
  const pairs = sql`
    select user_id, field from user_overrides where field in ('title', 'familyName')
    union all select ${first}::uuid, 'managerReferenceType'`
  expect(await restore(pairs)).toEqual({ restored: 5, people: 2, leftAlone: 0 })
  expect(await people()).toEqual([
    { title: 'Baker', version: 2, overridden: false },
    { title: 'Baker', version: 2, overridden: true },
  ])
  const told = await events()
  expect(told).toMatchObject([
    {
      type: 'user.override.restored',
      subject_id: first,
      data: { version: 2 },
      before: { title: 'Countess', familyName: 'Lovelace', displayName: 'Ada Lovelace', manager: 'NW-7' },
      after: { title: 'Baker', familyName: 'Byron', displayName: 'Ada Byron', manager: null },
    },
    { subject_id: second, data: { version: 2, fields: 'title' }, before: { title: 'Cook' }, after: { title: 'Baker' } },
  ])
  const accounts = await database.db.selectFrom('target_accounts').select('user_id').orderBy('user_id').execute()
  expect(accounts.map(({ user_id }) => user_id)).toEqual([first, second])
  expect(await restore(pairs)).toEqual({ restored: 0, people: 0, leftAlone: 0 })
})
