import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { AccountDocument, Target } from '@instep/connectors/kit/target.ts'
import type { Misbehaviour } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector } from '../../testing/people.ts'
import { leaseDue } from './account.store.ts'
import { releaseAllLeases } from './public.ts'
import { type ProvisioningWorld, provisioningWorld } from './testing/provisioning-world.ts'

let database: TestDatabase
let world: ProvisioningWorld
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await provisioningWorld(database.db)
})
afterEach(() => world.close())

const states = async () => {
  const counts: Record<string, number> = {}
  for (const { state } of await world.rows()) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
const status =
  (code: number, headers: Record<string, string> = {}): Misbehaviour =>
  (response) => {
    response.writeHead(code, headers).end()
  }
const normally: Misbehaviour = (response, accept) => {
  const { status: code, body } = accept()
  response.writeHead(code, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body))
}
const actThenReset: Misbehaviour = (response, accept) => {
  accept()
  response.destroy()
}
const resetFirst: Misbehaviour = (response) => {
  response.destroy()
}
const notJson: Misbehaviour = (response, accept) => {
  accept()
  response.writeHead(201, { 'content-type': 'application/scim+json' }).end('<html>')
}
/** A target that answers some documents in its own way. */
const withFault = (target: Target, fault: (document: AccountDocument) => ConnectorError | undefined): Target => ({
  ...target,
  create: async (document, call) => {
    const error = fault(document)
    if (error) throw error
    return target.create(document, call)
  },
})

describe('accounts follow people', () => {
  test('somebody who is not active gets no account, and nothing is asked', async () => {
    const [id = ''] = await world.people(1)
    await world.change(id, { active: false })
    await world.provisioner().runOnce()
    expect(world.asked()).toEqual([])
    expect(await world.row(id)).toMatchObject({ state: 'inStep', remote_id: null })
    expect(await world.events()).toEqual([])
  })

  test('everybody who was marked gets one account with one request each, and the event carries the change', async () => {
    const ids = await world.people(40)
    const correlationId = await world.mark(...ids)
    expect(await world.provisioner().runOnce()).toBe(40)
    expect(world.asked()).toEqual(Array(40).fill('POST /scim/v2/Users'))
    expect(world.standIn.accounts.size).toBe(40)
    expect(await states()).toEqual({ inStep: 40 })
    const events = await world.events()
    expect(events.map(({ type }) => type)).toEqual(Array(40).fill('target.account.created'))
    expect(new Set(events.map((event) => event.correlation_id))).toEqual(new Set([correlationId]))
    expect(events[0]?.data).toMatchObject({ target: 'Workplace', user: expect.stringMatching(/^Given/) })
    for (const row of await world.rows()) {
      expect(row.applied_document).toMatchObject({ active: true })
      expect(world.standIn.accounts.get(row.remote_id ?? '')).toMatchObject(row.applied_document ?? {})
    }
  })

  test('nothing is sent and nothing recorded for people who have not changed', async () => {
    await world.mark(...(await world.people(30)))
    await world.provisioner().runOnce()
    const before = { asked: world.asked().length, events: (await world.events()).length }
    await world.mark(...(await world.rows()).map((row) => row.user_id))
    expect(await world.provisioner().runOnce()).toBe(30)
    expect({ asked: world.asked().length, events: (await world.events()).length }).toEqual(before)
    expect(await states()).toEqual({ inStep: 30 })
  })

  test('a change sends what changed and nothing else; leaving switches off; returning switches on', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    await world.change(id, { title: 'Manager' })
    await provisioner.runOnce()
    expect(world.standIn.received.at(-1)).toMatchObject({ method: 'PATCH', body: { Operations: [{ path: 'title', value: 'Manager' }] } })
    await world.change(id, { active: false })
    await provisioner.runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ active: false, title: 'Manager' }])
    await world.change(id, { active: true })
    await provisioner.runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ active: true }])
    expect((await world.events()).map(({ type }) => type.replace('target.account.', ''))).toEqual([
      'created',
      'updated',
      'disabled',
      'updated',
    ])
  })

  test('a target that deletes leavers loses the account, and gets a new one when the person returns', async () => {
    await world.policy({ leaver: { action: 'delete', graceDays: 0 } })
    const [id = ''] = await world.people(1)
    await world.mark(id)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    await world.change(id, { active: false })
    await provisioner.runOnce()
    expect(world.standIn.accounts.size).toBe(0)
    expect(await world.row(id)).toMatchObject({ state: 'inStep', remote_id: null, applied_document: null })
    await world.change(id, { active: true })
    await provisioner.runOnce()
    expect(world.standIn.accounts.size).toBe(1)
  })

  test('an account that was there before is linked and corrected, not made twice', async () => {
    const [id = ''] = await world.people(1)
    await world.scim().create({ schemas: [], userName: 'PERSON.1@example.com', title: 'Old' })
    await world.mark(id)
    await world.provisioner().runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ title: 'Clerk', externalId: 'E-1' }])
    expect((await world.events()).map(({ type }) => type)).toEqual(['target.account.linked'])
  })

  test('an account that was removed by hand is made again', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    world.standIn.accounts.clear()
    await world.change(id, { title: 'Manager' })
    await provisioner.runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ title: 'Manager' }])
  })

  test('two people with one key never share an account: the second is set aside and told so', async () => {
    const [one = '', two = ''] = await world.people(2)
    await world.change(one, { work_email: 'same@example.com' })
    await world.change(two, { work_email: 'same@example.com' })
    await world.provisioner().runOnce()
    expect(await states()).toEqual({ inStep: 1, quarantined: 1 })
    expect((await world.rows()).map(({ cause }) => cause).sort()).toEqual(['TARGET_TAKEN', null])
    expect(world.standIn.accounts.size).toBe(1)
  })
})

describe('answers that never came', () => {
  test.each([
    ['a connection cut after the account was made', actThenReset],
    ['an answer that is no JSON', notJson],
    ['a connection cut before anything happened', resetFirst],
    ['500', status(500)],
  ])('after %s the account is looked up before it is made', async (_, way) => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    world.standIn.misbehave(way)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    expect(await world.row(id)).toMatchObject({ state: 'failed', attempts: 1, uncertain: true, cause: 'TARGET_UNCERTAIN' })
    world.clock.advance(2)
    await provisioner.runOnce()
    expect(world.asked()[1]).toBe('GET /scim/v2/Users')
    expect(world.standIn.accounts.size).toBe(1)
    expect(await world.row(id)).toMatchObject({ state: 'inStep', attempts: 0, uncertain: false, cause: null, last_error: null })
  })

  test('an account made under a name that the person lost meanwhile is found by the name it was made with', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    world.standIn.misbehave(actThenReset)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    await world.change(id, { work_email: 'renamed@example.com' })
    await provisioner.runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ userName: 'renamed@example.com' }])
  })

  test('an update whose answer never came is written whole, also when the person went back to what was confirmed', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    await world.change(id, { title: 'Manager' })
    world.standIn.misbehave(actThenReset)
    await provisioner.runOnce()
    await world.change(id, { title: 'Clerk' })
    await provisioner.runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ title: 'Clerk' }])
  })

  test('a worker that died between sending and recording is followed by one that looks first, when the lease has ended', async () => {
    const ids = await world.people(5)
    await world.mark(...ids)
    const now = world.clock.now()
    const leased = await leaseDue(database.db, world, { limit: 5, now, until: new Date(now.getTime() + 10_000) })
    expect(leased).toHaveLength(5)
    const scim = world.scim()
    for (const n of [1, 2, 3]) await scim.create({ schemas: [], externalId: `E-${n}`, userName: `person.${n}@example.com` })
    await scim.close()
    const provisioner = world.provisioner()
    world.clock.advance(9)
    expect(await provisioner.runOnce()).toBe(0)
    expect(world.asked()).toHaveLength(3)
    world.clock.advance(2)
    expect(await provisioner.runOnce()).toBe(5)
    expect(world.standIn.accounts.size).toBe(5)
    expect(world.asked().filter((line) => line.startsWith('POST'))).toHaveLength(5)
  })

  test('on a database of its own a new process need not wait for the leases of the one before', async () => {
    await world.mark(...(await world.people(2)))
    const now = world.clock.now()
    await leaseDue(database.db, world, { limit: 5, now, until: new Date(now.getTime() + 10_000) })
    await releaseAllLeases(database.db)
    expect(await world.provisioner().runOnce()).toBe(2)
    expect(world.asked().filter((line) => line === 'GET /scim/v2/Users')).toHaveLength(2)
  })
})

describe('work that meets other work', () => {
  test('somebody who changes while the request is under way is done again, and nothing is lost', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    world.standIn.misbehave(async (response, accept) => {
      await world.change(id, { title: 'Manager' })
      normally(response, accept)
    })
    await world.provisioner().runOnce()
    expect(world.asked()).toEqual(['POST /scim/v2/Users', 'PATCH /scim/v2/Users/…'])
    expect([...world.standIn.accounts.values()]).toMatchObject([{ title: 'Manager' }])
    expect(await world.row(id)).toMatchObject({ state: 'inStep' })
  })

  test('a failure of what was wanted before does not hold back what is wanted now', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    world.standIn.misbehave(async (response) => {
      await world.change(id, { title: 'Manager' })
      response.writeHead(400).end()
    })
    await world.provisioner().runOnce()
    expect(await world.row(id)).toMatchObject({ state: 'inStep', attempts: 0 })
  })

  test('two workers at once never do one account twice', async () => {
    await world.mark(...(await world.people(1200)))
    const done = await Promise.all([world.provisioner().runOnce(), world.provisioner().runOnce()])
    expect(done[0] + done[1]).toBe(1200)
    expect(world.asked()).toEqual(Array(1200).fill('POST /scim/v2/Users'))
    expect(await states()).toEqual({ inStep: 1200 })
  })

  test('markings of thousands while workers record never wait for each other in a circle', async () => {
    const ids = await world.people(600)
    await world.mark(...ids)
    const marking = (async () => {
      for (let round = 0; round < 8; round++) await world.mark(...ids)
    })()
    await Promise.all([marking, world.provisioner().runOnce(), world.provisioner().runOnce()])
    await world.provisioner().runOnce()
    expect(await states()).toEqual({ inStep: 600 })
    expect(world.asked().filter((line) => line.startsWith('POST'))).toHaveLength(600)
  })

  test('stopping finishes what was sent, gives back the rest and leaves nothing to look up', async () => {
    await world.mark(...(await world.people(300)))
    world.standIn.misbehave(
      ...Array.from(
        { length: 300 },
        (): Misbehaviour => (response, accept) => {
          setTimeout(() => normally(response, accept), 5)
        },
      ),
    )
    const provisioner = world.provisioner()
    provisioner.start()
    await vi.waitUntil(() => world.standIn.received.length > 40, { interval: 2 })
    await provisioner.stop()
    const rows = await world.rows()
    expect(rows.filter(({ state }) => state === 'inStep')).toHaveLength(world.standIn.accounts.size)
    expect(world.standIn.accounts.size).toBeLessThan(300)
    expect(rows.filter((row) => row.lease_owner !== null || row.uncertain)).toEqual([])
    await world.provisioner().runOnce()
    expect(world.asked()).toEqual(Array(300).fill('POST /scim/v2/Users'))
  })

  test('a target that does not answer holds up no other', async () => {
    const slowId = await addConnector(database.db, { tenantId: world.tenantId, name: 'Slow', kind: 'target', ingestionType: 'target' })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Target = { ...world.scim(), create: () => held.then(() => ({ remoteId: crypto.randomUUID(), etag: null })) }
    await world.mark(...(await world.people(30)))
    const provisioner = world.provisioner({ openTarget: async (_, targetId) => (targetId === slowId ? slow : world.scim()) })
    provisioner.start()
    await vi.waitUntil(async () => (await states()).inStep === 30)
    expect(world.standIn.accounts.size).toBe(30)
    release()
    await provisioner.stop()
  })

  test('a target that was switched off is left alone', async () => {
    await world.mark(...(await world.people(2)))
    await sql`update connectors set enabled = false where id = ${world.targetId}`.execute(database.db)
    expect(await world.provisioner().runOnce()).toBe(0)
    expect(await states()).toEqual({ pending: 2 })
  })
})

describe('people who cannot be done', () => {
  const refused = (retryable: boolean, code: ConnectorError['code'] = 'TARGET_REFUSED') =>
    new ConnectorError({ code, retryable, detail: 'POST /Users: no' })

  test('one whom the target refuses is set aside with the words of the target; the others go on', async () => {
    await world.mark(...(await world.people(20)))
    const fault = (document: AccountDocument) => (document.externalId === 'E-7' ? refused(false) : undefined)
    await world.provisioner({ openTarget: async () => withFault(world.scim(), fault) }).runOnce()
    expect(await states()).toEqual({ inStep: 19, quarantined: 1 })
    const [bad] = (await world.rows()).filter(({ state }) => state === 'quarantined')
    expect(bad).toMatchObject({ attempts: 1, cause: 'TARGET_REFUSED', last_error: 'POST /Users: no' })
    expect((await world.events()).map(({ type }) => type)).toContain('target.account.quarantined')
  })

  test('one whose refusal or id holds what no database keeps spoils nobody else’s answer', async () => {
    const unkept = 'No \0 and \ud83d'
    world.standIn.misbehave(
      (response) => void response.writeHead(400).end(JSON.stringify({ detail: unkept })),
      (response, accept) => {
        const { status, body } = accept()
        response.writeHead(status).end(JSON.stringify({ ...body, id: unkept, meta: { version: unkept } }))
      },
    )
    await world.mark(...(await world.people(4)))
    await world.provisioner().runOnce()
    expect(await states()).toEqual({ inStep: 3, quarantined: 1 })
    expect((await world.rows()).find(({ state }) => state === 'quarantined')?.last_error).toContain('No \ufffd and \ufffd')
  })

  test('one who trips the target over is tried eight times with growing waits, then set aside; told twice, not eight times', async () => {
    const ids = await world.people(20)
    await world.mark(...ids)
    const fault = (document: AccountDocument) => (document.externalId === 'E-7' ? refused(true, 'TARGET_UNCERTAIN') : undefined)
    const provisioner = world.provisioner({ openTarget: async () => withFault(world.scim(), fault) })
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      await provisioner.runOnce()
      const row = await world.row(ids[6] ?? '')
      expect(row).toMatchObject({ state: attempt < 8 ? 'failed' : 'quarantined' })
      if (attempt === 8) break
      const wait = (Number(row.next_try_at) - world.clock.now().getTime()) / 1000
      waits.push(wait)
      world.clock.advance(wait - 0.001)
      expect(await provisioner.runOnce()).toBe(0)
      world.clock.advance(0.001)
    }
    expect(waits).toEqual([0.75, 1.5, 3, 6, 12, 24, 48])
    expect(await states()).toEqual({ inStep: 19, quarantined: 1 })
    const told = (await world.events()).filter((event) => event.subject_id === ids[6]).map(({ type }) => type)
    expect(told).toEqual(['target.account.failed', 'target.account.quarantined'])
  })

  test('somebody set aside is tried afresh when the person changes', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    world.standIn.misbehave(status(400))
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    expect(await world.row(id)).toMatchObject({ state: 'quarantined' })
    await world.change(id, { title: 'Manager' })
    expect(await world.row(id)).toMatchObject({ state: 'pending', attempts: 0, cause: null, last_error: null })
    await provisioner.runOnce()
    expect(await world.row(id)).toMatchObject({ state: 'inStep' })
  })

  test('a leaver whose other values are refused is switched off all the same', async () => {
    const [id = ''] = await world.people(1)
    await world.mark(id)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    world.standIn.misbehave(status(400))
    await world.change(id, { active: false, title: 'Something it does not take' })
    await provisioner.runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ active: false, title: 'Clerk' }])
    expect(await world.row(id)).toMatchObject({ state: 'inStep' })
  })
})

describe('targets that do not work', () => {
  const repeat = (way: Misbehaviour, times = 200) => world.standIn.misbehave(...Array(times).fill(way))

  test('429 with Retry-After: nothing is asked before that time, nobody is blamed, then everybody is done', async () => {
    await world.mark(...(await world.people(50)))
    repeat(status(429, { 'retry-after': '120' }), 8)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    const asked = world.asked().length
    expect(asked).toBeLessThanOrEqual(8)
    world.clock.advance(119)
    await provisioner.runOnce()
    expect(world.asked()).toHaveLength(asked)
    expect((await world.rows()).filter(({ attempts }) => attempts > 0)).toEqual([])
    world.clock.advance(1)
    await provisioner.runOnce()
    expect(await states()).toEqual({ inStep: 50 })
  })

  test('429 without Retry-After: the pause grows by itself', async () => {
    await world.mark(...(await world.people(3)))
    repeat(status(429))
    const provisioner = world.provisioner({ concurrency: 1 })
    const seconds: number[] = []
    for (let second = 0; second < 30; second++) {
      const before = world.asked().length
      await provisioner.runOnce()
      if (world.asked().length > before) seconds.push(second)
      world.clock.advance(1)
    }
    expect(seconds).toEqual([0, 1, 3, 6, 12, 24])
  })

  test.each([
    ['its token is refused', 401, 'TARGET_UNAUTHORISED'],
    ['it answers 500 to everything', 500, 'TARGET_UNCERTAIN'],
    ['it answers 503 to everything', 503, 'TARGET_UNAVAILABLE'],
    ['it forbids everything', 403, 'TARGET_FORBIDDEN'],
  ])('when %s it is paused, asked now and then, and resumes by itself with nobody given up', async (_, code, cause) => {
    await world.mark(...(await world.people(60)))
    let broken = true
    repeat((response, accept) => (broken ? status(code)(response, accept) : normally(response, accept)), 500)
    const provisioner = world.provisioner()
    for (let minute = 0; minute < 30; minute++) {
      await provisioner.runOnce()
      world.clock.advance(60)
    }
    expect(world.asked().length).toBeLessThan(60)
    expect((await world.rows()).filter(({ state }) => ['quarantined', 'inStep'].includes(state))).toEqual([])
    expect((await world.rows()).filter((row) => row.cause === cause).length).toBeGreaterThan(0)
    expect((await world.events()).filter(({ type }) => type === 'target.paused')).toHaveLength(1)
    broken = false
    for (let minute = 0; minute < 10; minute++) {
      await provisioner.runOnce()
      world.clock.advance(300)
    }
    expect(await states()).toEqual({ inStep: 60 })
    expect(world.standIn.accounts.size).toBe(60)
    expect((await world.events()).filter(({ type }) => type === 'target.resumed')).toHaveLength(1)
  })

  test('when nobody listens it is paused after the first refusal, and resumes by itself', async () => {
    await world.mark(...(await world.people(60)))
    let reachable = false
    const provisioner = world.provisioner({
      openTarget: async () => {
        if (!reachable) world.settings.baseUrl = 'http://127.0.0.1:9/scim/v2'
        else delete world.settings.baseUrl
        return world.scim()
      },
    })
    await provisioner.runOnce()
    const rows = await world.rows()
    expect(rows.filter(({ state }) => state === 'paused').length).toBeLessThanOrEqual(8)
    expect(rows.find(({ state }) => state === 'paused')).toMatchObject({ attempts: 0, cause: 'TARGET_UNREACHABLE' })
    reachable = true
    world.clock.advance(2)
    await provisioner.runOnce()
    expect(await states()).toEqual({ inStep: 60 })
  })

  test('somebody who mended the target and asks for a try need not wait for the end of the pause', async () => {
    await world.mark(...(await world.people(3)))
    repeat(status(429, { 'retry-after': '1000' }), 1)
    const provisioner = world.provisioner({ concurrency: 1 })
    await provisioner.runOnce()
    await world.mark(...(await world.rows()).map((row) => row.user_id))
    expect(await provisioner.runOnce()).toBe(0)
    provisioner.nudge(world.targetId)
    expect(await provisioner.runOnce()).toBe(3)
  })

  test('settings that cannot be used pause the target and one row says why', async () => {
    await world.mark(...(await world.people(3)))
    const openTarget = async () => {
      throw new ConnectorError({ code: 'TARGET_SETTINGS_INVALID', params: { property: 'token' } })
    }
    await world.provisioner({ openTarget }).runOnce()
    expect(await states()).toEqual({ pending: 2, paused: 1 })
    expect((await world.rows()).find(({ state }) => state === 'paused')).toMatchObject({ cause: 'TARGET_SETTINGS_INVALID' })
  })
})
