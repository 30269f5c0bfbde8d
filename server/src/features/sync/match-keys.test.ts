import type { LookupKeyKind, MatchComparison, Matching } from '@instep/contract/matching.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type Candidate, decideMatch, type FoundBy } from './match.rules.ts'
import { updateMatching } from './matching-config.ts'
import { ADMIN, csvOf, type SyncWorld, syncWorld } from './testing/sync-world.ts'

/** SQL finds whom a plain loop over everybody finds. Values are few and alike, so that nearly everything meets. */

const COLUMNS = {
  employee_number: fc.constantFrom('', '7', '007', 'A-7', 'a7', '8', '0'),
  work_email: fc.constantFrom('', 'a@x.example', 'A@X.example', 'a+b@x.example'),
  personal_email: fc.constantFrom('', 'a@x.example', 'b@x.example'),
  user_name: fc.constantFrom('', 'ada', 'ADA', 'a.da'),
  personal_phone: fc.constantFrom('', '', '+4420123456'),
  date_of_birth: fc.constantFrom('', '1990-05-06', '1970-01-01'),
  given_name: fc.constantFrom('Ada', 'ADA', 'Bob'),
  family_name: fc.constantFrom('Byron', 'King'),
}
type Values = Record<keyof typeof COLUMNS, string>
const FIELDS = {
  employee_number: 'employeeNumber',
  work_email: 'workEmail',
  personal_email: 'personalEmail',
  user_name: 'userName',
  personal_phone: 'personalPhone',
  date_of_birth: 'dateOfBirth',
  given_name: 'givenName',
  family_name: 'familyName',
} as const
const names = Object.keys(COLUMNS) as (keyof Values)[]
const MAPPING: Mapping = {
  fields: {
    externalId: { column: 'id' },
    ...Object.fromEntries(names.map((name) => [FIELDS[name], { column: name, ...(name === 'date_of_birth' && { dateFormat: 'YMD' }) }])),
  },
}

const text = (value: string): string => value.trim().toLowerCase()
const id = (value: string): string =>
  text(value)
    .replace(/[ \-_./\\,:;#'"()+*&]/g, '')
    .replace(/^0+/, '')
const equal = (a: string, b: string, comparison: MatchComparison): boolean => {
  if (!a || !b || !id(a) || !id(b)) return false
  return comparison === 'exact' ? a === b : comparison === 'folded' ? text(a) === text(b) : id(a) === id(b)
}
const sameAddress = (a: string, b: string, comparison: MatchComparison): boolean =>
  a !== '' && b !== '' && (comparison === 'exact' ? a === b : text(a) === text(b))

interface Person extends Values {
  readonly key: string
  readonly place: Candidate['place']
  readonly active: boolean
}

const meets: Partial<Record<LookupKeyKind, (record: Values, person: Values, comparison: MatchComparison) => boolean>> = {
  EmployeeId: (a, b, how) => equal(a.employee_number, b.employee_number, how),
  UserName: (a, b, how) => equal(a.user_name, b.user_name, how),
  Email: (a, b, how) =>
    [a.work_email, a.personal_email].some((one) => [b.work_email, b.personal_email].some((other) => sameAddress(one, other, how))),
}
const likeness: Partial<Record<FoundBy, (record: Values, person: Values) => boolean>> = {
  nameAndBirthDate: (a, b) =>
    a.date_of_birth !== '' &&
    a.date_of_birth === b.date_of_birth &&
    text(a.given_name) === text(b.given_name) &&
    text(a.family_name) === text(b.family_name),
  personalEmail: (a, b) => sameAddress(a.personal_email, b.personal_email, 'folded'),
  personalPhone: (a, b) => a.personal_phone !== '' && a.personal_phone === b.personal_phone,
}

const verdictsOf = (records: readonly Values[], everybody: readonly Person[], matching: Matching): string[] => {
  const byKey = records.map((record) => {
    for (const { kind, comparison } of matching.keys) {
      const found = everybody.filter((person) => meets[kind]?.(record, person, comparison))
      if (found.length > 0) return { kind, found }
    }
    return undefined
  })
  return records.map((record, place) => {
    const hit = byKey[place]
    const alike = everybody.filter((person) => Object.values(likeness).some((by) => by(record, person)))
    const candidates = (hit?.found ?? alike).map((person) => ({
      ...person,
      userId: person.key,
      foundBy: [hit?.kind ?? 'personalPhone'],
      displayName: '',
      connectorName: '',
      present: false,
      claims: byKey.filter((other) => other?.found.includes(person)).length,
      birthDate: person.date_of_birth || null,
      employmentType: null,
    })) satisfies Candidate[]
    const verdict = decideMatch({ birthDate: record.date_of_birth || null, employmentType: null }, candidates, matching.samePerson.act)
    return verdict.verdict === 'case' ? verdict.kind : verdict.verdict
  })
}

const values = fc.record(COLUMNS)
const population = fc.record({
  records: fc.array(values, { minLength: 1, maxLength: 6 }),
  people: fc.array(fc.record({ ...COLUMNS, place: fc.constantFrom('linked', 'linked', 'unlinked', 'elsewhere'), active: fc.boolean() }), {
    maxLength: 5,
  }),
  keys: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom('EmployeeId', 'Email', 'UserName'),
      comparison: fc.constantFrom('exact', 'folded', 'normalised'),
    }),
    { selector: ({ kind }) => kind },
  ),
  act: fc.constantFrom('ask', 'note', 'off'),
}) as fc.Arbitrary<{
  records: Values[]
  people: Omit<Person, 'key'>[]
  keys: Matching['keys']
  act: Matching['samePerson']['act']
}>

let world: SyncWorld
beforeAll(async () => {
  world = await syncWorld()
})
afterAll(() => world.close())

const CODES: Readonly<Record<string, string>> = { adoptByKey: 'adopt', otherConnectorByKey: 'otherConnector', looksLike: 'note' }

it('finds and decides as a plain loop over everybody does', async () => {
  const { tenantId, connectorId, otherConnectorId } = world
  const { db } = world.deps
  await fc.assert(
    fc.asyncProperty(population, async ({ records, people, keys, act }) => {
      await sql`update runs set state = 'rejected', finished_at = now() where state in ('planned', 'held')`.execute(db)
      await sql`truncate match_cases, source_links, users cascade`.execute(db)
      const everybody = people.map((person, place) => ({ ...person, key: `P${place}` }))
      for (const { key, place, active, ...columns } of everybody) {
        const userId = uuidv7()
        await sql`
          insert into users (tenant_id, id, connector_id, external_id, display_name, active, base, created_at, updated_at,
            ${sql.join(names.map((name) => sql.ref(name)))})
          values (${tenantId}, ${userId}, ${place === 'elsewhere' ? otherConnectorId : connectorId}, ${key}, ${key}, ${active}, '{"active": true}',
            now(), now(), ${sql.join(names.map((name) => sql`${columns[name] || null}`))})`.execute(db)
        if (place === 'linked')
          await sql`insert into source_links values (${tenantId}, ${connectorId}, ${key}, ${userId}, 'x', 1, now())`.execute(db)
      }
      const matching: Matching = { keys, samePerson: { act, nameAndBirthDate: true, personalEmail: true, personalPhone: true } }
      await updateMatching(world.deps, { tenantId, connectorId, matching, by: ADMIN, correlationId: 'c' })
      const file = csvOf([['id', ...names], ...records.map((record, place) => [`R${place}`, ...names.map((name) => record[name])])])
      const rows = await world.rows(await world.plan(file, MAPPING))
      const told = records.map((_, place) => {
        const row = rows.find(({ sourceKey }) => sourceKey === `R${place}`)
        const code = row?.reasons[0]?.code ?? 'new'
        return code.startsWith('matchedBy') ? 'link' : (CODES[code] ?? code)
      })
      expect(told).toEqual(verdictsOf(records, everybody, matching))
    }),
    { seed: 4_102_026, numRuns: 60, endOnFailure: true },
  )
}, 120_000)
