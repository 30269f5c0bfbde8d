import { columnOf, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../platform/http/actor.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, linkPeople } from '../../testing/people.ts'
import { createUsers, updateUsers } from './bulk-write.ts'
import type { EditDeps } from './edit-deps.ts'
import { restoreOverrides } from './restore-overrides.ts'
import { updateUser } from './update-user.ts'

type Doc = Record<string, unknown>

const tenantId = uuidv7()
let database: TestDatabase
let connectorId: string

beforeAll(async () => {
  database = await testDatabase()
  await database.db.insertInto('tenants').values({ id: tenantId, name: 'T' }).execute()
  connectorId = await addConnector(database.db, { tenantId, name: 'HR' })
})
afterAll(() => database.close())

const at = new Date('2026-02-03T04:05:06Z')
const actor: Actor = {
  id: uuidv7(),
  name: 'Tadeo',
  email: 't@x.example',
  roles: ['admin.tenant'],
  permissions: 1023,
  tenantId,
  sites: 'all',
}
const by = { actor: { kind: 'admin' as const, id: actor.id, name: actor.name }, at, correlationId: uuidv7() }
const usual = { givenName: 'Ada', familyName: 'Byron', displayName: 'Ada Byron', active: true, title: 'Baker' }

/** Somebody from the source, under an external id of their own. */
const sourced = async (): Promise<string> => {
  const id = uuidv7()
  const rows = sql`select ${id}::uuid as user_id, ${JSON.stringify({ ...usual, externalId: id })}::jsonb as doc`
  await database.db.transaction().execute((tx) => createUsers(tx, { tenantId, connectorId, at, rows }))
  await linkPeople(database.db, { tenantId, connectorId }, [id])
  return id
}

interface Row {
  readonly [column: string]: unknown
  readonly version: number
  readonly base: Doc
  readonly overrides: Doc
}
const read = async (id: string): Promise<Row> => {
  const { rows } = await sql<Row>`
    select u.*, coalesce((select jsonb_object_agg(o.field, o.value) from user_overrides o where o.user_id = u.id), '{}') as overrides
    from users u where u.id = ${id}`.execute(database.db)
  const [row] = rows
  if (!row) throw new Error('nobody there')
  return row
}

/** What the columns must hold, written down a second time and in another way than the statement. */
const expectedOf = ({ base, overrides }: Row): Doc => {
  const value = (field: UserFieldName | 'active') => (field in overrides ? overrides[field] : (base[field] ?? null))
  const names = `${value('givenName')} ${value('familyName')}`
  const isDerived = base['displayName'] === `${base['givenName']} ${base['familyName']}`
  const columns = userFieldNames.map((field) => [columnOf(field), value(field)])
  const claims = { ...(base['claimFields'] as Doc | undefined), ...(overrides['claimFields'] as Doc | undefined) }
  return {
    ...Object.fromEntries(columns),
    display_name: 'displayName' in overrides || !isDerived ? (value('displayName') ?? names) : names,
    access_code_delivery: value('accessCodeDelivery') ?? 'none',
    active: value('active') ?? true,
    claim_fields: Object.fromEntries(Object.entries(claims).filter(([, claim]) => claim !== null)),
    overridden: Object.keys(overrides).length > 0,
  }
}

/** One override that says what the source says is none; only a name that the names make is compared with other names. */
const needless = ({ base, overrides }: Row): string[] =>
  Object.keys(overrides).filter(
    (field) =>
      field !== 'displayName' && field !== 'claimFields' && JSON.stringify(overrides[field]) === JSON.stringify(base[field] ?? null),
  )

const FIELDS = ['title', 'familyName', 'displayName', 'workEmail', 'manager', 'active', 'claimFields'] as const
const CLAIMS = [uuidv7(), uuidv7()] as const

const words = fc.constantFrom('Baker', 'Cook', 'Chef')
const name = fc.constantFrom('Byron', 'Lovelace', 'King')
const email = fc.constantFrom('a@x.example', 'b@x.example')
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const some = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(members, { requiredKeys: [] })

const sync = some({
  title: orNull(words),
  familyName: name,
  displayName: fc.constantFrom('Ada Byron', 'Ada King', 'The Countess'),
  workEmail: orNull(email),
  manager: orNull(email),
  active: fc.boolean(),
})
const edit = some({
  title: orNull(words),
  name: some({ familyName: name }),
  displayName: orNull(fc.constantFrom('Ada King', 'The Countess', 'Lady A.')),
  emails: fc.constantFrom([], [{ value: 'a@x.example', type: 'work' as const }]),
  enterprise: some({
    manager: orNull(fc.record({ value: email, referenceType: fc.constantFrom('email' as const, 'externalId' as const) })),
  }),
  extension: some({ claimFields: fc.dictionary(fc.constantFrom(...CLAIMS), orNull(words)) }),
  active: fc.boolean(),
  overrides: fc.dictionary(fc.constantFrom('title', 'name', 'email', 'manager', 'active', 'claimFields'), fc.constant(null), {
    maxKeys: 1,
  }),
})
const step = fc.oneof(
  sync.map((patch) => ({ kind: 'sync' as const, patch })),
  edit.map((input) => ({ kind: 'edit' as const, input })),
  fc.constantFrom(...FIELDS).map((field) => ({ kind: 'restore' as const, field })),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const carryOut = async (id: string, taken: Step): Promise<void> => {
  const { db } = database
  if (taken.kind === 'edit') {
    const deps: EditDeps = {
      db,
      definitionOf: () => ({ kind: 'source', supportedOperations: ['update'] }) as never,
      manualConnector: () => Promise.reject(new Error('nobody is created here')),
    }
    const key = { tenantId, connectorId, sites: 'all' as const, id }
    await updateUser(deps, {
      key,
      input: taken.input as never,
      ifMatch: { given: false, versions: 'any' },
      change: { actor, at, correlationId: uuidv7() },
    })
    return
  }
  await db.transaction().execute(async (tx) => {
    if (taken.kind === 'restore') {
      const pairs = sql`select ${id}::uuid as user_id, ${taken.field}::text as field`
      await restoreOverrides(tx, { tenantId, pairs, why: 'lapsed', by })
      return
    }
    const { version } = await read(id)
    const rows = sql`select ${id}::uuid as user_id, ${version}::integer as user_version, ${JSON.stringify(taken.patch)}::jsonb as patch`
    await updateUsers(tx, { tenantId, at, rows })
  })
}

describe('what a person is', () => {
  it('is base ⊕ overrides after any sequence of syncs, edits, restores and lapses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const id = await sourced()
        let version = 1
        for (const taken of steps) {
          await carryOut(id, taken)
          const row = await read(id)
          expect(row).toMatchObject(expectedOf(row))
          expect(needless(row)).toEqual([])
          expect(row.version).toBeGreaterThanOrEqual(version)
          version = row.version
        }
      }),
      { seed: 8, numRuns: 40 },
    )
  })
})
