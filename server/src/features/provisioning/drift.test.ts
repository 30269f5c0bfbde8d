import type { DriftDecision, DriftKind } from '@instep/contract/drift.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { silentLog } from '../../platform/log.ts'
import { isOver } from '../../platform/runs/run.ts'
import { createRunWorker } from '../../platform/runs/run-worker.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { acceptedDrift } from './accepted.views.ts'
import { userTargets } from './account.views.ts'
import { decideDrift } from './decide-drift.ts'
import { downloadDrift } from './download-drift.ts'
import { DEFAULT_DRIFT } from './drift.rules.ts'
import { driftFindings, findDrift, linkCandidates, presentDrift } from './drift.views.ts'
import { driftHandler, queueDrift } from './drift-run.ts'
import { runDueDrift, setDriftSettings } from './drift-schedules.ts'
import { revokeAccepted } from './revoke-accepted.ts'
import { type ProvisioningWorld, provisioningWorld } from './testing/provisioning-world.ts'

let database: TestDatabase
let world: ProvisioningWorld
let people: string[]
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await provisioningWorld(database.db)
  people = await world.people(8)
  await world.mark(...people)
  await world.provisioner().runOnce()
  world.clock.advance(60)
})
afterEach(async () => {
  // a run that a test left waiting would ask the stand-in of the next one
  await sql`update runs set state = 'cancelled' where state in ('queued', 'running')`.execute(database.db)
  await world.close()
})

const by = { kind: 'admin', id: uuidv7(), name: 'Tadeo Tenant' } as const
const key = () => ({ tenantId: world.tenantId, targetId: world.targetId })
const account = (n: number) => world.standIn.accounts.get(`account/${n}`) as Record<string, unknown>
const remove = (n: number) => world.standIn.accounts.delete(`account/${n}`)
const intrude = (userName: string, more: Record<string, unknown> = {}) =>
  world.standIn.accounts.set(userName, { id: userName, userName, active: true, ...more })

const finish = async (runId: string) => {
  const runs = createRunWorker({
    db: database.db,
    clock: world.clock,
    log: silentLog,
    handlers: { drift: driftHandler({ db: database.db, clock: world.clock, openTarget: async () => world.scim(), onPutBack: () => {} }) },
    pollMilliseconds: 20,
  })
  runs.start()
  for (;;) {
    const run = await findDrift(database.db, { ...key(), runId })
    if (run && isOver(run.state)) {
      await runs.stop()
      return presentDrift(run)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const queue = (more: { putBack?: boolean } = {}) =>
  database.db
    .transaction()
    .execute((tx) =>
      queueDrift(tx, { ...key(), began: 'hand', putBack: false, by, correlationId: 'drift', at: world.clock.now(), ...more }),
    )
const readBack = async (more: { putBack?: boolean } = {}) => finish((await queue(more))?.id ?? '')
const findings = (runId: string, kind?: DriftKind, open = true) =>
  driftFindings(database.db, { ...key(), runId, kind, open, after: 0, limit: 100 })
interface Choice {
  sequences?: number[]
  userId?: string
}
const decide = (runId: string, [kind, decision]: [DriftKind, DriftDecision], { sequences, userId }: Choice = {}) => {
  world.clock.advance(1)
  const given = { decision, kind, sequences, userId, target: 'Workplace', by, correlationId: 'decided' }
  return decideDrift({ db: database.db, clock: world.clock }, { ...key(), runId }, given)
}

describe('reading back', () => {
  test('a target that has a run under way is not read by a second', async () => {
    expect(await queue()).toBeDefined()
    expect(await queue()).toBeUndefined()
  })

  test('a target that answers with an error is told of, and nobody is called missing', async () => {
    world.standIn.misbehave((response) => void response.writeHead(401).end())
    const run = await readBack({ putBack: true })
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'TARGET_UNAUTHORISED' } })
    expect(await findings(run.id)).toEqual([])
    expect((await world.events()).at(-1)?.type).toBe('drift.failed')
  })

  test('where nobody changed anything, nothing is found', async () => {
    const run = await readBack()
    expect(run).toMatchObject({ state: 'succeeded', listed: 8, known: 8, changed: 0, missing: 0, unknown: 0, held: null })
    expect((await world.rows()).every(({ state }) => state === 'inStep')).toBe(true)
  })

  test('what was changed, removed and added behind our back is told, attribute by attribute', async () => {
    account(1).title = 'Usurper'
    ;(account(1).name as Record<string, unknown>).givenName = 'Else'
    remove(2)
    intrude('stranger@example.com', { displayName: 'Stranger' })
    const run = await readBack()
    expect(run).toMatchObject({ state: 'succeeded', changed: 1, missing: 1, unknown: 1, putBack: 0 })
    const [changed, unknown, missing] = await findings(run.id)
    expect(changed).toMatchObject({ kind: 'changed', remoteId: 'account/1', person: { id: people[0] } })
    expect(changed?.changes.toSorted((a, b) => a.attribute.localeCompare(b.attribute))).toEqual([
      { attribute: 'name.givenName', applied: 'Given1', found: 'Else' },
      { attribute: 'title', applied: 'Clerk', found: 'Usurper' },
    ])
    expect(unknown).toMatchObject({ kind: 'unknown', name: 'Stranger', person: null })
    expect(missing).toMatchObject({ kind: 'missing', remoteId: 'account/2', person: { id: people[1] } })
    expect(account(1).title).toBe('Usurper')
  })

  test('what we owe the target anyway is no drift', async () => {
    account(1).title = 'Usurper'
    remove(2)
    await world.mark(people[0] ?? '', people[1] ?? '')
    expect(await readBack()).toMatchObject({ changed: 0, missing: 0 })
  })

  test('a run that is cancelled before it begins leaves nothing', async () => {
    account(1).title = 'Usurper'
    const run = await queue()
    await sql`update runs set state = 'running', cancel_requested = true, leased_until = '-infinity' where id = ${run?.id}`.execute(
      database.db,
    )
    const ended = await finish(run?.id ?? '')
    expect(ended.state).toBe('cancelled')
    expect(await findings(ended.id, undefined, false)).toEqual([])
  })
})

describe('putting back by itself', () => {
  test('what was changed or removed is put back through the workers, what is unknown stays', async () => {
    account(1).title = 'Usurper'
    remove(2)
    intrude('stranger')
    const run = await readBack({ putBack: true })
    expect(run).toMatchObject({ putBack: 2, held: null })
    expect(account(1).title).toBe('Usurper')
    await world.provisioner().runOnce()
    expect(account(1).title).toBe('Clerk')
    expect([...world.standIn.accounts.values()].map(({ userName }) => userName).sort()).toEqual(
      [...Array.from({ length: 8 }, (_, n) => `person.${n + 1}@example.com`), 'stranger'].sort(),
    )
    expect((await world.rows()).every(({ state }) => state === 'inStep')).toBe(true)
    expect((await readBack()).changed).toBe(0)
  })

  test.each([
    ['an empty list', () => world.standIn.accounts.clear(), 'driftIncomplete'],
    ['a list of which most is gone', () => [1, 2, 3, 4, 5, 6].map(remove), 'driftIncomplete'],
    [
      'a target that somebody has changed all over',
      () => [1, 2, 3, 4, 5, 6].map((n) => Object.assign(account(n), { title: 'Usurper' })),
      'driftTooMuch',
    ],
  ])('%s is told, and nothing is put back', async (_, spoil, code) => {
    spoil()
    const run = await readBack({ putBack: true })
    expect(run).toMatchObject({ state: 'succeeded', putBack: 0, held: { code } })
    expect((await world.rows()).every(({ state }) => state === 'inStep')).toBe(true)
    expect((await world.events()).at(-1)?.type).toBe('drift.held')
  })

  test('half a list is told, and nothing is put back', async () => {
    account(1).title = 'Usurper'
    world.standIn.misbehave((response, accept) => {
      const { body } = accept()
      const Resources = [...((body?.Resources ?? []) as unknown[])].slice(0, 4)
      response.writeHead(200).end(JSON.stringify({ ...body, Resources }))
    })
    world.standIn.misbehave((response, accept) => {
      const { body } = accept()
      response.writeHead(200).end(JSON.stringify({ ...body, Resources: [] }))
    })
    const run = await readBack({ putBack: true })
    expect(run).toMatchObject({ listed: 4, total: 8, putBack: 0, held: { code: 'driftIncomplete' } })
  })
})

describe('deciding', () => {
  test('a decision that does not suit the kind decides nothing', async () => {
    intrude('stranger')
    account(1).title = 'Usurper'
    const { id } = await readBack()
    expect(await decide(id, ['unknown', 'putBack'])).toEqual({ decided: 0, remaining: 1 })
    expect(await decide(id, ['changed', 'link'], { userId: people[2] ?? '' })).toEqual({ decided: 0, remaining: 1 })
  })

  describe('what was accepted', () => {
    const accepted = () => acceptedDrift(database.db, { ...key(), after: null, limit: 100 })
    const revoke = (attribute: string | null, userId = people[0] ?? '') =>
      revokeAccepted({ db: database.db, clock: world.clock }, { ...key(), userId, attribute, target: 'Workplace', by, correlationId: 'x' })
    const acceptTitle = async () => {
      account(1).title = 'Usurper'
      const { id } = await readBack()
      expect(await decide(id, ['changed', 'accept'])).toEqual({ decided: 1, remaining: 0 })
    }
    const pass = async () => {
      world.clock.advance(1)
      await world.provisioner().runOnce()
    }

    test('is not revoked where nothing was, and leaves no trace then', async () => {
      await acceptTitle()
      const before = await world.events()
      expect(await revoke('department')).toBe(0)
      expect(await revoke('title', people[1])).toBe(0)
      expect(await world.events()).toEqual(before)
    })

    test('stays when something else of the person changes, and nothing more than that is written', async () => {
      await acceptTitle()
      world.standIn.received.length = 0
      await world.change(people[0] ?? '', { given_name: 'Ada' })
      await pass()
      expect(account(1).title).toBe('Usurper')
      expect(JSON.stringify(world.standIn.received.map(({ body }) => body))).not.toContain('title')
      expect(account(1)).toMatchObject({ name: { givenName: 'Ada' } })
      expect(await readBack()).toMatchObject({ changed: 0 })
      expect(await accepted()).toMatchObject([{ attribute: 'title', ours: 'Clerk', theirs: 'Usurper', by: 'Tadeo Tenant' }])
      expect(await userTargets(database.db, { tenantId: world.tenantId, userId: people[0] ?? '' })).toMatchObject([
        { accepted: [{ attribute: 'title', ours: 'Clerk', theirs: 'Usurper' }] },
      ])
    })

    test('asks nothing of a target when the person is looked at again', async () => {
      await acceptTitle()
      world.standIn.received.length = 0
      const before = await world.events()
      await world.mark(...people)
      await pass()
      expect(world.asked()).toEqual([])
      expect(await world.events()).toEqual(before)
    })

    test('is over when our value changes, and does not come back with the old one', async () => {
      await acceptTitle()
      await world.change(people[0] ?? '', { title: 'Head' })
      await pass()
      expect(account(1).title).toBe('Head')
      await world.change(people[0] ?? '', { title: 'Clerk' })
      await pass()
      expect(account(1).title).toBe('Clerk')
      expect(await accepted()).toEqual([])
    })

    test('is over when the value there changes: it is told against ours, or not at all where they are equal', async () => {
      await acceptTitle()
      world.clock.advance(60)
      account(1).title = 'Third'
      const { id } = await readBack()
      expect(await findings(id)).toMatchObject([{ kind: 'changed', changes: [{ attribute: 'title', applied: 'Clerk', found: 'Third' }] }])
      expect(await accepted()).toEqual([])
      expect(await decide(id, ['changed', 'accept'])).toEqual({ decided: 1, remaining: 0 })
      world.clock.advance(60)
      account(1).title = 'Clerk'
      expect(await readBack()).toMatchObject({ changed: 0 })
      expect(await accepted()).toEqual([])
    })

    test('is taken back: the account is read and made what it should be, with an event', async () => {
      await acceptTitle()
      expect(await revoke('title')).toBe(1)
      await pass()
      expect(account(1).title).toBe('Clerk')
      expect((await world.events()).find(({ type }) => type === 'drift.account.revoked')).toMatchObject({
        subject_id: people[0],
        data: { target: 'Workplace', attribute: 'title' },
      })
    })

    test('that an account is missing stays so while the person works, until it is taken back', async () => {
      remove(2)
      const { id } = await readBack()
      expect(await decide(id, ['missing', 'accept'])).toEqual({ decided: 1, remaining: 0 })
      await world.change(people[1] ?? '', { title: 'Head' })
      await pass()
      expect(world.standIn.accounts.size).toBe(7)
      expect(await world.row(people[1] ?? '')).toMatchObject({ state: 'inStep', cause: 'MISSING_ACCEPTED' })
      expect(await revoke(null, people[1])).toBe(1)
      await pass()
      expect(world.standIn.accounts.size).toBe(8)
    })

    test('that an account is missing is over when the person leaves: whoever comes back gets one', async () => {
      remove(2)
      const { id } = await readBack()
      await decide(id, ['missing', 'accept'])
      await world.change(people[1] ?? '', { active: false })
      await pass()
      await world.change(people[1] ?? '', { active: true })
      await pass()
      expect(world.standIn.accounts.size).toBe(8)
    })
  })

  test('what was written since the target was read is not overlaid with what was read', async () => {
    account(1).title = 'Usurper'
    const { id } = await readBack()
    world.clock.advance(1)
    await world.change(people[0] ?? '', { department: 'Sales' })
    await world.provisioner().runOnce()
    expect(await decide(id, ['changed', 'accept'])).toEqual({ decided: 0, remaining: 1 })
    await world.change(people[0] ?? '', { department: null })
    await world.provisioner().runOnce()
    expect(JSON.stringify(account(1))).not.toContain('Sales')
  })

  test('what an earlier reading found is not accepted after what a later one found', async () => {
    account(1).title = 'First'
    const earlier = await readBack()
    world.clock.advance(1)
    account(1).title = 'Second'
    const later = await readBack()
    expect(await decide(later.id, ['changed', 'accept'])).toEqual({ decided: 1, remaining: 0 })
    expect(await decide(earlier.id, ['changed', 'accept'])).toEqual({ decided: 0, remaining: 1 })
    expect((await world.row(people[0] ?? '')).applied_document).toMatchObject({ title: 'Second' })
  })

  test('put back by hand, chosen by sequence, with an event for the person and one for the target', async () => {
    account(1).title = 'Usurper'
    account(3).title = 'Usurper'
    const { id } = await readBack()
    const [first] = await findings(id, 'changed')
    expect(await decide(id, ['changed', 'putBack'], { sequences: [first?.sequence ?? 0] })).toEqual({ decided: 1, remaining: 1 })
    await world.provisioner().runOnce()
    expect([account(1).title, account(3).title]).toEqual(['Clerk', 'Usurper'])
    const events = (await world.events()).filter(({ correlation_id }) => correlation_id === 'decided')
    expect(events.map(({ type }) => type)).toEqual(['drift.putBack', 'drift.account.putBack', 'target.account.updated'])
    expect(await decide(id, ['changed', 'putBack'], { sequences: [first?.sequence ?? 0] })).toEqual({ decided: 0, remaining: 1 })
  })

  test('what has become another account since is left alone', async () => {
    account(1).title = 'Usurper'
    const { id } = await readBack()
    await sql`update target_accounts set remote_id = 'another' where user_id = ${people[0]}`.execute(database.db)
    expect(await decide(id, ['changed', 'putBack'])).toEqual({ decided: 0, remaining: 1 })
    expect(await decide(id, ['changed', 'accept'])).toEqual({ decided: 0, remaining: 1 })
  })

  test('ignored once, an account is not told again', async () => {
    account(1).title = 'Usurper'
    intrude('stranger')
    const { id } = await readBack()
    await decide(id, ['changed', 'ignore'])
    await decide(id, ['unknown', 'ignore'])
    expect(await readBack()).toMatchObject({ changed: 0, unknown: 0 })
  })

  test('an unknown account is suggested for whoever has its key, and linked to them without a second one', async () => {
    const [newcomer = ''] = await world.people(1)
    intrude('own-id', { userName: 'Person.9@example.com', title: 'Elsewhere' })
    const { id } = await readBack()
    const [unknown] = await findings(id, 'unknown')
    const sequence = unknown?.sequence ?? 0
    expect(await linkCandidates(database.db, { ...key(), runId: id }, sequence)).toMatchObject([{ id: newcomer, foundBy: 'Email' }])
    await expect(decide(id, ['unknown', 'link'], { sequences: [sequence], userId: people[0] ?? '' })).rejects.toMatchObject({
      code: 'ACCOUNT_LINKED',
    })
    await expect(decide(id, ['unknown', 'link'], { sequences: [sequence], userId: uuidv7() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await decide(id, ['unknown', 'link'], { sequences: [sequence], userId: newcomer })).toEqual({ decided: 1, remaining: 0 })
    await world.provisioner().runOnce()
    expect(world.standIn.accounts.size).toBe(9)
    expect(await world.row(newcomer)).toMatchObject({ state: 'inStep', remote_id: 'own-id' })
    expect(world.standIn.accounts.get('own-id')).toMatchObject({ title: 'Clerk' })
  })

  test('an account made anew by hand is suggested for whose account is missing, and linked in its place', async () => {
    const [person = '', another = ''] = people
    const gone = (await world.row(person)).remote_id ?? ''
    const { userName } = account(1)
    world.standIn.accounts.delete(gone)
    intrude('made-by-hand', { userName, title: 'Elsewhere' })
    const { id } = await readBack()
    expect(await findings(id, 'missing')).toMatchObject([{ person: { id: person } }])
    const sequence = (await findings(id, 'unknown'))[0]?.sequence ?? 0
    expect(await linkCandidates(database.db, { ...key(), runId: id }, sequence)).toMatchObject([{ id: person }])
    await expect(
      decide(id, ['unknown', 'link'], { sequences: [sequence], userId: another }),
      'whose account is there keeps it',
    ).rejects.toMatchObject({ code: 'ACCOUNT_LINKED' })
    await decide(id, ['unknown', 'link'], { sequences: [sequence], userId: person })
    expect(await findings(id, 'missing'), 'nothing is left to be put back').toEqual([])
    await world.provisioner().runOnce()
    expect(await world.row(person)).toMatchObject({ state: 'inStep', remote_id: 'made-by-hand' })
    expect(world.standIn.accounts.get('made-by-hand')).toMatchObject({ title: 'Clerk' })
    expect(await readBack()).toMatchObject({ changed: 0, missing: 0, unknown: 0 })
  })

  test('suggested are people of whichever key, those of no other tenant, and nobody who has an account', async () => {
    const [byId = '', byName = ''] = await world.people(2)
    await sql`update users set user_name = 'Byron.Ada' where id = ${byName}`.execute(database.db)
    const other = await provisioningWorld(database.db)
    await other.people(9)
    intrude('one', { userName: 'byron.ada', externalId: 'E-9' })
    intrude('two', { userName: 'nobody', externalId: 'E-1' })
    const { id } = await readBack()
    const suggested = []
    for (const { sequence } of await findings(id, 'unknown'))
      suggested.push((await linkCandidates(database.db, { ...key(), runId: id }, sequence)).map((one) => [one.id, one.foundBy]))
    await other.close()
    expect(suggested.map((found) => found.toSorted())).toEqual([
      [
        [byId, 'ExternalId'],
        [byName, 'UserName'],
      ].toSorted(),
      [],
    ])
  })

  test('the report has a line for each changed attribute and each other account', async () => {
    account(1).title = 'Usur"per'
    remove(2)
    intrude('=stranger')
    const { id } = await readBack()
    let text = ''
    for await (const piece of downloadDrift(database.db, { ...key(), runId: id }, undefined)) text += piece
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain('Changed,Open,account/1,E-1')
    expect(lines[1]).toContain('title,Clerk,"Usur""per"')
    expect(lines[2]).toContain('stranger')
  })
})

describe('the schedule', () => {
  const actor = { id: by.id, name: by.name } as never
  const set = (change: Partial<typeof DEFAULT_DRIFT>) =>
    setDriftSettings({ db: database.db, clock: world.clock }, key(), {
      settings: { ...DEFAULT_DRIFT, ...change },
      actor,
      correlationId: 'set',
    })
  const due = async () => {
    let nudged = 0
    await runDueDrift({ db: database.db, clock: world.clock, nudge: () => (nudged += 1) })
    return nudged
  }

  test('the same again changes and records nothing', async () => {
    const before = (await world.events()).length
    expect(await set({})).toEqual({ settings: DEFAULT_DRIFT, nextAt: null })
    expect((await world.events()).length).toBe(before)
  })

  test('a day’s hour comes in the target’s own zone, is acted on once, and made up for once when it was missed', async () => {
    // the clock says 2026-03-01T08:01Z, a Sunday
    const { nextAt } = await set({ every: 'daily', hour: 3, timeZone: 'America/New_York' })
    expect(nextAt?.toISOString()).toBe('2026-03-02T08:00:00.000Z')
    expect(await due()).toBe(0)
    world.clock.advance(3 * 86_400)
    expect(await due()).toBe(1)
    expect(await due()).toBe(0)
    const { rows } = await sql<{ input: unknown }>`select input from runs where tenant_id = ${world.tenantId} and kind = 'drift'`.execute(
      database.db,
    )
    expect(rows).toEqual([{ input: { target: 'Workplace', began: 'schedule', putBack: false } }])
  })

  test('a week’s hour comes on its day', async () => {
    expect((await set({ every: 'weekly', weekday: 5, hour: 22 })).nextAt?.toISOString()).toBe('2026-03-06T22:00:00.000Z')
  })

  test('a target that is switched off waits for the next time', async () => {
    await set({ every: 'daily' })
    await sql`update connectors set enabled = false where id = ${world.targetId}`.execute(database.db)
    world.clock.advance(86_400)
    expect(await due()).toBe(0)
  })
})
