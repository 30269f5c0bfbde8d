import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { markPending } from './public.ts'
import { foldTargetCounts, targetCounts } from './target-counts.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const PEOPLE = 8

const world = async () => {
  const { db } = database
  const tenantId = uuidv7()
  await db.insertInto('tenants').values({ id: tenantId, name: 'Counted' }).execute()
  const connectorId = await addConnector(db, { tenantId, name: 'HR' })
  const target = (name: string) => addConnector(db, { tenantId, name, kind: 'target', ingestionType: 'target' })
  const targets = [await target('One'), await target('Two')]
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ external_id: `E-${n}` }))
  return { tenantId, targets, ids: await addPeople(db, { tenantId, connectorId }, people) }
}
type World = Awaited<ReturnType<typeof world>>

const byState = <T extends { state: string; cause: string | null }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => `${a.state} ${a.cause}`.localeCompare(`${b.state} ${b.cause}`))

/** What the accounts themselves say. */
const counted = async (tenantId: string, targetId: string) => {
  const { rows } = await sql<{ state: string; cause: string | null; count: number }>`
    select state, case when state in ('failed', 'quarantined', 'paused') then cause end as cause, count(*)::integer as count
    from target_accounts where tenant_id = ${tenantId} and target_id = ${targetId} group by 1, 2`.execute(database.db)
  return byState(rows)
}

const expectRight = async ({ tenantId, targets }: World) => {
  for (const targetId of targets)
    expect(byState(await targetCounts(database.db, { tenantId, targetId }))).toEqual(await counted(tenantId, targetId))
}

const change = fc.record({
  who: fc.uniqueArray(fc.integer({ min: 0, max: PEOPLE - 1 }), { minLength: 1 }),
  what: fc.constantFrom('mark', 'lease', 'inStep', 'fail', 'failOtherwise', 'moveAndHold', 'forget', 'deletePeople', 'fold'),
})

const carryOut = async ({ tenantId, targets, ids }: World, { who, what }: { who: number[]; what: string }): Promise<unknown> => {
  const { db } = database
  const people = sql`${who.map((index) => ids[index])}::uuid[]`
  if (what === 'fold') return foldTargetCounts(db)
  if (what === 'mark')
    return db
      .transaction()
      .execute((tx) =>
        markPending(tx, { tenantId, users: sql`select id as user_id from users where id = any(${people})`, correlationId: 'c' }),
      )
  if (what === 'forget') return sql`delete from target_accounts where user_id = any(${people}) and target_id = ${targets[0]}`.execute(db)
  if (what === 'deletePeople') return sql`delete from users where id = any(${people})`.execute(db)
  const set = {
    lease: sql`lease_owner = gen_random_uuid()`,
    inStep: sql`state = 'inStep', cause = null`,
    fail: sql`state = 'failed', cause = 'TARGET_REFUSED'`,
    failOtherwise: sql`state = 'quarantined', cause = 'TARGET_TAKEN'`,
    moveAndHold: sql`state = 'held', cause = 'REMOVALS_HELD', remote_id = gen_random_uuid()::text`,
  }[what]
  return sql`update target_accounts set ${set ?? sql``} where user_id = any(${people})`.execute(db)
}

describe('the figures of targets', () => {
  test('say what the accounts say, whatever is written and whenever they are folded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 12 }), async (changes) => {
        const made = await world()
        await carryOut(made, { who: [...made.ids.keys()], what: 'mark' })
        for (const each of changes) {
          await carryOut(made, each)
          await expectRight(made)
        }
      }),
      { numRuns: 20, seed: 22 },
    )
  })

  test('are folded to one row each, while others write', async () => {
    const made = await world()
    const everyone = [...made.ids.keys()]
    await carryOut(made, { who: everyone, what: 'mark' })
    const writing = Array.from({ length: 30 }, (_, n) =>
      carryOut(made, { who: [n % PEOPLE], what: (['inStep', 'fail', 'mark', 'fold'] as const)[n % 4] ?? 'fold' }),
    )
    await Promise.all(writing)
    await expectRight(made)
    await foldTargetCounts(database.db)
    await expectRight(made)
    const { rows } = await sql`
      select 1 from target_counts where tenant_id = ${made.tenantId}
      group by target_id, state, cause having count(*) > 1 or sum(accounts) = 0`.execute(database.db)
    expect(rows).toEqual([])
  })

  test('begin anew when all accounts are emptied', async () => {
    const made = await world()
    await carryOut(made, { who: [0, 1], what: 'mark' })
    await sql`truncate target_accounts`.execute(database.db)
    await expectRight(made)
  })
})
