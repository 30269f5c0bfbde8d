import { type Comparison, Condition, conditionField, conditionFieldNames, OPERATORS, operandOf } from '@instep/contract/conditions.ts'
import { holdsFor } from '@instep/contract/holds-for.ts'
import { columnOf, type UserFieldName } from '@instep/contract/user-fields.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople, linkPeople } from '../../testing/people.ts'
import { createSite, createSiteGroup } from '../sites/public.ts'
import { compileCondition, type RarePieces } from './compile-condition.ts'

const TODAY = '2026-03-31'
const ATTRIBUTE = '0198c0de-0000-7000-8000-000000000001'
const SOMEWHERE = '0198c0de-0000-7000-8000-000000000002'

const TEXTS = ['Baker', 'baker', 'BÄCKER', 'a%b', 'a_b', '\\', "'; drop table users; --", 'ß', '\u{1f600}'] as const
const DAYS = ['2026-02-28', '2026-03-01', '2026-03-30', '2026-03-31', '2026-04-01', '2026-04-30', '2027-03-31'] as const

type Row = Record<string, unknown> & { id: string }

let database: TestDatabase
let tenantId: string
let ids: readonly string[]
let people: Row[]

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  tenantId = uuidv7()
  await db.insertInto('tenants').values({ id: tenantId, name: 'Conditions' }).execute()
  const by = { at: new Date(), correlationId: 'test', actor: { kind: 'system' as const, id: null, name: 'Test' } }
  const [group, site] = await db.transaction().execute(async (tx) => {
    const group = await createSiteGroup(tx, { tenantId, name: 'Group' }, by)
    return [group, await createSite(tx, { tenantId, name: 'Site', groupId: group }, by)]
  })
  const connectorId = await addConnector(db, { tenantId, name: 'HR' })
  const at = (index: number) => new Date(`${DAYS[index % DAYS.length]}T23:59:59Z`)
  const rows = Array.from({ length: 60 }, (_, index) => ({
    title: index % 4 === 0 ? null : (TEXTS[index % TEXTS.length] ?? null),
    external_id: `${TEXTS[index % TEXTS.length]}-${index}`,
    department: index % 3 === 0 ? '' : 'Bakery',
    start_date: index % 5 === 0 ? null : (DAYS[index % DAYS.length] ?? null),
    active: index % 3 !== 1,
    deactivated_at: index % 6 === 1 ? at(index) : null,
    claim_state: ['awaitingInvitation', 'invited', 'claimed'][index % 3] ?? '',
    invited_at: index % 3 === 0 ? null : at(index),
    locked: index % 7 === 0,
    vip: index % 11 === 0,
    site_id: index % 2 === 0 ? (site ?? null) : null,
    access_code_delivery: ['none', 'email.work', 'sms.personal'][index % 3] ?? '',
    manager_reference_type: [null, 'email', 'externalId'][index % 3] ?? null,
    claim_fields: index % 2 === 0 ? JSON.stringify({ [ATTRIBUTE]: TEXTS[index % TEXTS.length] }) : '{}',
  }))
  ids = [site ?? '', group ?? '', connectorId, SOMEWHERE]
  const added = await addPeople(db, { tenantId, connectorId }, rows)
  await linkPeople(db, { tenantId, connectorId }, added.slice(0, 30))
  const { rows: stored } = await sql<Row>`select * from users where tenant_id = ${tenantId}`.execute(db)
  const linked = new Set(added.slice(0, 30))
  people = stored.map((row) => ({
    ...row,
    ingestionType: linked.has(row.id) ? 'file' : 'manual',
    siteGroupId: row['site_id'] ? group : null,
  }))
})
afterAll(() => database.close())

const found = async (condition: Condition, rarePieces?: RarePieces): Promise<string[]> => {
  const predicate = compileCondition(condition, { today: TODAY, rarePieces })
  const { rows } = await sql<{
    id: string
  }>`select u.id from users u where u.tenant_id = ${tenantId} and ${predicate} order by u.id`.execute(database.db)
  return rows.map(({ id }) => id)
}

const toldOf = (row: Row, field: string): unknown => {
  if (field.startsWith('claimFields.')) return (row['claim_fields'] as Record<string, string>)[field.slice(12)] ?? null
  if (field === 'status') return row['active'] ? row['claim_state'] : row['deactivated_at'] ? 'deactivated' : 'inactive'
  const value = field in row ? row[field] : row[columnOf(field as UserFieldName)]
  return value instanceof Date ? value.toISOString().slice(0, 10) : (value ?? null)
}

const named = [...conditionFieldNames, `claimFields.${ATTRIBUTE}`]
/** What a condition means for values at hand, which its SQL must agree with. */
const holds = (row: Row, condition: Condition): boolean =>
  holdsFor(condition, TODAY)(Object.fromEntries(named.map((field) => [field, toldOf(row, field)])))

const span = fc.record({ number: fc.integer({ min: 1, max: 14 }), scale: fc.constantFrom('day' as const, 'week', 'month', 'year') })
const textIn = fc.oneof(fc.constantFrom(...TEXTS, 'ak', 'A'), fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' }))
const valueFor = (field: string, operator: Comparison['operator']): fc.Arbitrary<unknown> => {
  const { type, options } = conditionField(field) ?? { type: 'text' }
  const one = type === 'id' ? fc.constantFrom(...ids) : options ? fc.constantFrom(...options) : textIn
  const day = fc.constantFrom(...DAYS)
  return {
    none: fc.constant(undefined),
    one,
    many: fc.array(one, { minLength: 1, maxLength: 3 }),
    day,
    days: fc.tuple(day, day).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a })),
    span,
    flag: fc.boolean(),
  }[operandOf(operator)]
}
const fields = fc.constantFrom(...conditionFieldNames, `claimFields.${ATTRIBUTE}`)
const comparison = fields.chain((field) =>
  fc
    .constantFrom(...OPERATORS[conditionField(field)?.type ?? 'text'])
    .chain((operator) =>
      valueFor(field, operator).map((value) => ({ field, operator, ...(value !== undefined && { value }) }) as Comparison),
    ),
)
const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    fc.record({ all: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}))

describe('a condition', () => {
  it('finds exactly those of whom it is true, whatever stands in it', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (condition) => {
        expect(Condition.safeParse(condition).success).toBe(true)
        const wanted = people.filter((row) => holds(row, condition)).map(({ id }) => id)
        expect(await found(condition)).toEqual(wanted.sort())
      }),
      { seed: 5, numRuns: 400 },
    )
  })

  it.each(
    conditionFieldNames.flatMap((field) => OPERATORS[conditionField(field)?.type ?? 'text'].map((operator) => [field, operator] as const)),
  )('on %s with %s agrees with what it says', async (field, operator) => {
    const [value] = fc.sample(valueFor(field, operator), { seed: 11, numRuns: 1 })
    const condition = { field, operator, ...(value !== undefined && { value }) } as Comparison
    expect(await found(condition)).toEqual(
      people
        .filter((row) => holds(row, condition))
        .map(({ id }) => id)
        .sort(),
    )
  })

  it('finds the same people by pieces that few of them have', async () => {
    const texts = fc.constantFrom('aker', 'BAKER', 'baker-1', 'a%b', 'a_b-', "'; drop", 'ÄCKER', 'ß-7', 'nobody')
    const operators = fc.constantFrom('equals' as const, 'contains', 'startsWith', 'endsWith', 'notEquals', 'notContains')
    const asked = fc.record({ field: fc.constantFrom('externalId', 'displayName', 'title'), operator: operators, value: texts })
    let narrowed = 0
    const pieces: RarePieces = (text) => {
      narrowed++
      return text.match(/[a-z0-9]{3}/gi) ?? []
    }
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 2 }), fc.boolean(), async (any, not) => {
        const condition = (not ? { not: { any } } : { any }) as Condition
        expect(await found(condition, pieces)).toEqual(await found(condition))
      }),
      { seed: 7, numRuns: 150 },
    )
    expect(narrowed).toBeGreaterThan(50)
  })

  it('that the contract does not know is never compiled', () => {
    for (const condition of [
      { field: 'password', operator: 'equals', value: 'x' },
      { field: 'title', operator: 'before', value: '2026-01-01' },
      { field: 'constructor', operator: 'equals', value: 'x' },
    ] as Comparison[])
      expect(() => compileCondition(condition, { today: TODAY })).toThrow(TypeError)
  })
})
