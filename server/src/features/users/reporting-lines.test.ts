import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { createUsers, updateUsers } from './bulk-write.ts'
import { countOpenReferences, openReferences, reportingCycles, resolveNewReferences } from './reporting-lines.ts'

let database: TestDatabase
const tenantId = uuidv7()
let [hr, contractors] = ['', '']
const AT = new Date('2026-03-04T10:00:00Z')

beforeAll(async () => {
  database = await testDatabase()
  await sql`insert into tenants (id, name) values (${tenantId}, 'One')`.execute(database.db)
  hr = await addConnector(database.db, { tenantId, name: 'HR' })
  contractors = await addConnector(database.db, { tenantId, name: 'Contractors' })
})
afterAll(() => database.close())
beforeEach(() => sql`delete from users`.execute(database.db))

type Doc = { externalId: string } & Partial<Record<'manager' | 'managerReferenceType' | 'employeeNumber' | 'workEmail', string | undefined>>

/** Adds people in one statement; answers their ids. */
const arrive = async (connectorId: string, ...docs: Doc[]): Promise<string[]> => {
  const rows = docs.map((doc) => ({ user_id: uuidv7(), doc: { givenName: 'Ada', familyName: doc.externalId, ...doc } }))
  const given = sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (user_id uuid, doc jsonb)`
  await database.db.transaction().execute((tx) => createUsers(tx, { tenantId, connectorId, at: AT, rows: given }))
  return rows.map(({ user_id }) => user_id)
}
const change = (id: string, patch: Partial<Record<keyof Doc, string | null>>) =>
  database.db.transaction().execute((tx) =>
    updateUsers(tx, {
      tenantId,
      at: AT,
      rows: sql`
        select u.id as user_id, u.version as user_version, ${JSON.stringify(patch)}::jsonb as patch from users u where u.id = ${id}`,
    }),
  )
const managerOf = async (id: string) => {
  const { rows } = await sql<{ manager_id: string | null }>`select manager_id from manager_references where user_id = ${id}`.execute(
    database.db,
  )
  return rows[0]?.manager_id
}
const open = (connectorId = hr) => openReferences(database.db, { tenantId, connectorId, after: undefined, limit: 10 })

it('a manager who arrives later is found, by external id, employee id or e-mail in any letters', async () => {
  const [a = '', b = '', c = ''] = await arrive(
    hr,
    { externalId: 'R1', manager: 'M1' },
    { externalId: 'R2', manager: '4711' },
    { externalId: 'R3', manager: 'Grace@Example.com' },
  )
  expect((await open()).map(({ manager, why }) => [manager, why])).toEqual([
    ['M1', 'notFound'],
    ['4711', 'notFound'],
    ['Grace@Example.com', 'notFound'],
  ])
  const [grace = ''] = await arrive(hr, { externalId: 'M1', employeeNumber: '4711', workEmail: 'grace@example.com' })
  expect([await managerOf(a), await managerOf(b), await managerOf(c)]).toEqual([grace, grace, grace])
  expect(await open()).toEqual([])
  expect(await countOpenReferences(database.db, { tenantId, connectorId: hr })).toEqual({ value: 0, exact: true })
})

it('how a reference is to be read leaves out the other ways', async () => {
  const [asId = '', asMail = ''] = await arrive(
    hr,
    { externalId: 'R1', manager: 'm@example.com', managerReferenceType: 'externalId' },
    { externalId: 'R2', manager: 'M1', managerReferenceType: 'email' },
  )
  await arrive(hr, { externalId: 'M1', workEmail: 'm@example.com' })
  expect([await managerOf(asId), await managerOf(asMail)]).toEqual([null, null])
})

it('one’s own connector comes before the rest of the tenant', async () => {
  const [report = ''] = await arrive(hr, { externalId: 'R1', manager: 'M1' })
  const [far = ''] = await arrive(contractors, { externalId: 'M1' })
  expect(await managerOf(report)).toBe(far)
  const [near = ''] = await arrive(hr, { externalId: 'M1' })
  expect(await managerOf(report)).toBe(near)
})

it('of several none is guessed, and the one who is left is found', async () => {
  const [report = ''] = await arrive(hr, { externalId: 'R1', manager: 'boss@example.com' })
  const [one = '', two = ''] = await arrive(
    hr,
    { externalId: 'M1', workEmail: 'boss@example.com' },
    { externalId: 'M2', workEmail: 'BOSS@example.com' },
  )
  expect(await open()).toMatchObject([{ manager: 'boss@example.com', why: 'ambiguous' }])
  await change(two, { workEmail: 'other@example.com' })
  expect(await managerOf(report)).toBe(one)
})

it('a manager who is named otherwise is lost and found by the new name, and leaving clears nothing', async () => {
  const [report = '', second = ''] = await arrive(hr, { externalId: 'R1', manager: '1' }, { externalId: 'R2', manager: '2' })
  const [boss = ''] = await arrive(hr, { externalId: 'M1', employeeNumber: '1' })
  await change(boss, { employeeNumber: '2' })
  expect([await managerOf(report), await managerOf(second)]).toEqual([null, boss])
  await database.db.transaction().execute((tx) =>
    updateUsers(tx, {
      tenantId,
      at: AT,
      rows: sql`select id as user_id, version as user_version, '{"active": false}'::jsonb as patch from users where id = ${boss}`,
    }),
  )
  expect(await managerOf(second)).toBe(boss)
  await change(second, { manager: null })
  expect(await managerOf(second)).toBe(undefined)
})

it('being found changes no version of the report', async () => {
  const [report = ''] = await arrive(hr, { externalId: 'R1', manager: 'M1' })
  await arrive(hr, { externalId: 'M1' })
  const { version } = await database.db.selectFrom('users').select('version').where('id', '=', report).executeTakeFirstOrThrow()
  expect(version).toBe(1)
})

it('references of a database that is older than they are are looked up by the scheduled pass', async () => {
  const [boss = '', report = ''] = await addPeople(database.db, { tenantId, connectorId: hr }, [{ external_id: 'M1' }, { manager: 'M1' }])
  await sql`
    insert into manager_references (tenant_id, user_id, connector_id, value) values (${tenantId}, ${report}, ${hr}, 'M1')`.execute(
    database.db,
  )
  expect(await resolveNewReferences(database.db)).toBe(1)
  expect(await managerOf(report)).toBe(boss)
  expect(await resolveNewReferences(database.db)).toBe(0)
})

it('a circle is told with names, however it is entered, and ends', async () => {
  const ids = await arrive(
    hr,
    { externalId: 'A', manager: 'B' },
    { externalId: 'B', manager: 'C' },
    { externalId: 'C', manager: 'A' },
    { externalId: 'D', manager: 'A' },
    { externalId: 'E', manager: 'E' },
  )
  const above = (id = '') => reportingCycles(database.db, { tenantId, users: sql`select ${id}::uuid` })
  const names = (await above(ids[3])).map((cycle) => cycle.map(({ name }) => name))
  expect(names).toEqual([['Ada A', 'Ada B', 'Ada C']])
  expect((await above(ids[4])).map((cycle) => cycle.map(({ name }) => name))).toEqual([['Ada E']])
})

it('the order of arrival makes no difference', async () => {
  const key = fc.constantFrom('1', '2', '3', 'x@example.com', 'y@example.com')
  const somebody = fc.record({
    connector: fc.boolean(),
    manager: fc.option(key, { nil: undefined }),
    employeeNumber: fc.option(key, { nil: undefined }),
    workEmail: fc.option(key, { nil: undefined }),
    /** Somebody who arrives under other names and is renamed. */
    renamed: fc.boolean(),
  })
  const world = fc.array(somebody, { minLength: 1, maxLength: 6 }).chain((people) => {
    const arrivals = people.map((person, index) => ({ ...person, externalId: String(index) }))
    return fc.tuple(fc.constant(arrivals), fc.shuffledSubarray(arrivals, { minLength: arrivals.length }))
  })
  const outcome = async (people: readonly (Doc & { connector: boolean; renamed: boolean })[], atOnce: boolean) => {
    await sql`delete from users`.execute(database.db)
    if (atOnce) {
      const of = (wanted: boolean) =>
        people.filter(({ connector }) => connector === wanted).map(({ connector: _, renamed: __, ...doc }) => doc)
      await arrive(hr, ...of(true))
      await arrive(contractors, ...of(false))
    } else {
      const late: [string, Partial<Doc>][] = []
      for (const { connector, renamed, ...doc } of people) {
        const names = { employeeNumber: doc.employeeNumber, workEmail: doc.workEmail }
        const [id = ''] = await arrive(
          connector ? hr : contractors,
          renamed ? { ...doc, employeeNumber: '2', workEmail: 'x@example.com' } : doc,
        )
        if (renamed) late.push([id, names])
      }
      for (const [id, { employeeNumber = null, workEmail = null }] of late) await change(id, { employeeNumber, workEmail })
    }
    const { rows } = await sql<{ report: string; manager: string | null }>`
      select u.connector_id || u.external_id as report, m.connector_id || m.external_id as manager
      from manager_references r join users u on u.id = r.user_id left join users m on m.id = r.manager_id order by 1`.execute(database.db)
    return rows
  }
  await fc.assert(
    fc.asyncProperty(world, async ([people, shuffled]) => {
      expect(await outcome(shuffled, false)).toEqual(await outcome(people, true))
    }),
    { seed: 5, numRuns: 40 },
  )
}, 120_000)
