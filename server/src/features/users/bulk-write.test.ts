import { columnOf, USER_FIELDS, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { createUsers, updateUsers } from './bulk-write.ts'

type Doc = Record<string, unknown>
interface Row {
  readonly id: string
  readonly version: number
  readonly active: boolean
  readonly base: Doc
  readonly deactivated_at: Date | null
  readonly [column: string]: unknown
}

const [tenantId, connectorId] = [uuidv7(), uuidv7()]
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  await sql`insert into tenants (id, name) values (${tenantId}, 'T')`.execute(database.db)
  await sql`
    insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type)
    values (${tenantId}, ${connectorId}, 'HR', 'file', 'source', 'file')`.execute(database.db)
})
afterAll(() => database.close())
beforeEach(() => sql`truncate users cascade`.execute(database.db))

const at = new Date('2026-02-03T04:05:06Z')
const usual = { externalId: 'E1', givenName: 'Ada', familyName: 'Byron', displayName: 'Ada Byron', active: true }

const create = (docs: readonly Doc[]): Promise<number> => {
  const given = docs.map((doc) => ({ user_id: uuidv7(), doc }))
  const rows = sql`select user_id, doc from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as r (user_id uuid, doc jsonb)`
  return database.db.transaction().execute((tx) => createUsers(tx, { tenantId, connectorId, at, rows }))
}
const update = (changes: readonly { user_id: string; user_version: number; patch: Doc }[]): Promise<number> => {
  const rows = sql`
    select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r (user_id uuid, user_version integer, patch jsonb)`
  return database.db.transaction().execute((tx) => updateUsers(tx, { tenantId, at, rows }))
}
const readAll = async (): Promise<Row[]> => (await sql<Row>`select * from users order by external_id`.execute(database.db)).rows
const only = async (): Promise<Row> => {
  const [row] = await readAll()
  if (!row) throw new Error('nobody there')
  return row
}
const override = (userId: string, field: string, value: unknown) =>
  sql`
    insert into user_overrides (tenant_id, user_id, field, value, by, at)
    values (${tenantId}, ${userId}, ${field}, ${JSON.stringify(value)}, '{}', now())`.execute(database.db)

/** Those of the overrides that are still there. */
const leftOf = async (overrides: Doc): Promise<Doc> => {
  const { rows } = await sql<{ field: string }>`select field from user_overrides`.execute(database.db)
  const left = new Set(rows.map(({ field }) => field))
  return Object.fromEntries(Object.entries(overrides).filter(([field]) => left.has(field)))
}

/** What the columns must hold: base ⊕ overrides. */
const effectiveOf = (base: Doc, overrides: Doc): Doc => {
  const merged = { ...base, ...overrides }
  const standard = (field: UserFieldName) => (field === 'accessCodeDelivery' ? 'none' : null)
  return Object.fromEntries([
    ...userFieldNames.map((field) => [columnOf(field), merged[field] ?? standard(field)]),
    ['active', merged['active'] ?? true],
  ])
}

describe('people are left as they are', () => {
  it('when they have moved on since they were read', async () => {
    await create([usual])
    const { id } = await only()
    expect(await update([{ user_id: id, user_version: 9, patch: { title: 'Countess' } }])).toBe(0)
  })

  it('when they are locked', async () => {
    await create([usual])
    await sql`update users set locked = true`.execute(database.db)
    const { id, version } = await only()
    expect(await update([{ user_id: id, user_version: version, patch: { title: 'Countess' } }])).toBe(0)
  })

  it('when their external id is taken; the others are added', async () => {
    await create([usual])
    expect(
      await create([
        { ...usual, givenName: 'Other' },
        { ...usual, externalId: 'E2' },
      ]),
    ).toBe(1)
    expect((await readAll()).map(({ given_name }) => given_name)).toEqual(['Ada', 'Ada'])
  })
})

describe('a bulk write', () => {
  it('counts a version only where an effective value changes', async () => {
    await create([usual])
    const { id } = await only()
    await override(id, 'title', 'Countess')
    await update([{ user_id: id, user_version: 1, patch: { locality: 'London' } }])
    expect(await only()).toMatchObject({ version: 2, title: 'Countess', locality: 'London' })
    await update([{ user_id: id, user_version: 2, patch: { title: 'Analyst' } }])
    expect(await only()).toMatchObject({ version: 2, title: 'Countess', base: { title: 'Analyst' } })
  })

  it('takes an override away that the source has caught up with, and leaves the others', async () => {
    await create([usual])
    const { id } = await only()
    for (const [field, value] of Object.entries({
      title: 'Countess',
      department: 'Pastry',
      manager: 'NW-7',
      managerReferenceType: 'externalId',
    }))
      await override(id, field, value)
    await update([{ user_id: id, user_version: 1, patch: { title: 'Countess', manager: 'NW-7', division: 'North' } }])
    const left = await sql<{ field: string }>`select field from user_overrides`.execute(database.db)
    expect(left.rows).toEqual([{ field: 'department' }])
    expect(await only()).toMatchObject({ title: 'Countess', department: 'Pastry', manager: 'NW-7', overridden: true, version: 2 })
    await update([{ user_id: id, user_version: 2, patch: { department: 'Pastry' } }])
    expect(await only()).toMatchObject({ overridden: false })
    await update([{ user_id: id, user_version: 2, patch: { title: 'Baker' } }])
    expect(await only()).toMatchObject({ title: 'Baker' })
  })

  it('makes the display name of the names, overridden or not, unless the source gives one', async () => {
    await create([{ ...usual, displayName: undefined }])
    const { id } = await only()
    expect(await only()).toMatchObject({ display_name: 'Ada Byron' })
    await override(id, 'familyName', 'Lovelace')
    await update([{ user_id: id, user_version: 1, patch: { givenName: 'Augusta', displayName: 'Augusta Byron' } }])
    expect(await only()).toMatchObject({ display_name: 'Augusta Lovelace', version: 2 })
    await update([{ user_id: id, user_version: 2, patch: { displayName: 'The Countess' } }])
    expect(await only()).toMatchObject({ display_name: 'The Countess' })
  })

  it('says since when somebody is not active, also when the file says it twice', async () => {
    await create([usual])
    const { id } = await only()
    await update([{ user_id: id, user_version: 1, patch: { active: false } }])
    expect(await only()).toMatchObject({ active: false, deactivated_at: at, version: 2 })
    await update([{ user_id: id, user_version: 2, patch: { active: true } }])
    expect(await only()).toMatchObject({ active: true, deactivated_at: null, version: 3 })
  })

  it('holds the equation effective = base ⊕ overrides for every field', async () => {
    const valueFor = (field: UserFieldName) =>
      USER_FIELDS[field].type === 'date'
        ? fc.constantFrom('2024-02-29', '1999-12-31')
        : USER_FIELDS[field].type === 'referenceType'
          ? fc.constantFrom('email', 'externalId')
          : fc.constantFrom('a', 'é “x”', '\\n', '{}', 'null', "o'c")
    const optional = userFieldNames.filter((field) => !(field in usual))
    const some = (fields: readonly UserFieldName[], empty: boolean) =>
      fc.record(Object.fromEntries(fields.map((field) => [field, empty ? fc.option(valueFor(field)) : valueFor(field)])), {
        requiredKeys: [],
      })
    await fc.assert(
      fc.asyncProperty(some(optional, false), some(optional, false), some(optional, true), async (first, overrides, patch) => {
        await sql`truncate users cascade`.execute(database.db)
        await create([{ ...usual, ...first }])
        const { id } = await only()
        for (const [field, value] of Object.entries(overrides)) await override(id, field, value)
        await update([{ user_id: id, user_version: 1, patch }])
        const base = Object.fromEntries(Object.entries({ ...usual, ...first, ...patch }).filter(([, value]) => value !== null))
        const row = await only()
        expect(row.base).toEqual(base)
        expect(row).toMatchObject(effectiveOf(base, await leftOf(overrides)))
      }),
      { seed: 5, numRuns: 15 },
    )
  })
})

it('whoever adds many people to few tells the planner, before the next statement of the same change', async () => {
  const many = Array.from({ length: 600 }, (_, n) => ({ ...usual, externalId: `E${n}` }))
  await sql`analyze users`.execute(database.db)
  const known = async () =>
    (await sql<{ reltuples: number }>`select reltuples from pg_class where oid = 'users'::regclass`.execute(database.db)).rows[0]
  expect(await known()).toEqual({ reltuples: 0 })
  await create(many.slice(0, 3))
  expect(await known()).toEqual({ reltuples: 0 })
  await create(many.slice(3))
  expect(await known()).toEqual({ reltuples: 600 })
})
