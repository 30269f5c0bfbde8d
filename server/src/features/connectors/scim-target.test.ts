import { type DialectStandIn, startDialectStandIn, type Traits } from '@instep/connectors/scim/testing/dialect-stand-in.ts'
import type { AttributeRules } from '@instep/contract/attribute-rules.ts'
import * as contract from '@instep/contract/conformance.ts'
import { createConnector, updateConnector } from '@instep/contract/connectors.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let standIn: DialectStandIn
beforeAll(async () => {
  app = await testApp({ workers: true, env: { SOURCES_ALLOW_PRIVATE: 'on' } })
})
afterAll(() => app.close())
afterEach(() => standIn?.close())

const tenantId = () => app.world.one.id
const paramsOf = (id: string) => ({ params: { tenantId: tenantId(), id } })
const target = async (traits: Traits = {}, enabled = false) => {
  standIn = await startDialectStandIn(traits)
  const properties = { baseUrl: standIn.baseUrl, token: 'a-secret' }
  const body = { name: uuidv7(), definitionId: 'scim', properties, enabled }
  return (await app.call('tenant', createConnector, { params: { tenantId: tenantId() }, body })).body.id
}
const start = (id: string, admin: TestAdmin = 'tenant') => app.call(admin, contract.startConformance, paramsOf(id))
const cancel = (id: string, admin: TestAdmin = 'tenant') => app.call(admin, contract.cancelConformance, paramsOf(id))
const last = async (id: string) => (await app.call('tenant', contract.getConformance, paramsOf(id))).body.run
const ended = (id: string) =>
  vi.waitFor(
    async () => {
      const run = await last(id)
      if (!run?.finishedAt) throw new Error('not over yet')
      return run
    },
    { timeout: 20_000, interval: 100 },
  )
const setRules = (id: string, rules: AttributeRules, admin: TestAdmin = 'tenant') =>
  app.call(admin, contract.setAttributeRules, { ...paramsOf(id), body: { rules } })
const preview = (id: string, body: { rules: AttributeRules; userId?: string }) =>
  app.call('tenant', contract.previewAttributeRules, { ...paramsOf(id), body })
const eventsOf = async (id: string) => {
  const { rows } = await sql<{ type: string; data: Record<string, unknown> }>`
    select type, data from events where tenant_id = ${tenantId()} and subject_id = ${id} and type <> 'connector.created' order by id`.execute(
    app.database.db,
  )
  return rows
}
const NICKNAME = { path: 'nickName', from: { kind: 'field', field: 'givenName' }, as: 'text' } as const

describe('who may not', () => {
  it('see or change anything of another tenant', async () => {
    const id = await target()
    const calls = [
      start(id, 'otherTenant'),
      cancel(id, 'otherTenant'),
      setRules(id, [], 'otherTenant'),
      app.call('otherTenant', contract.getConformance, paramsOf(id)),
      app.call('otherTenant', contract.getConformance, { params: { tenantId: app.world.two.id, id } }),
      app.call('otherTenant', contract.previewAttributeRules, { params: { tenantId: app.world.two.id, id }, body: { rules: [] } }),
    ]
    for (const call of calls) expect((await call).status).toBe(404)
    expect(standIn.asked).toEqual([])
  })

  it('try a source, or map attributes for it', async () => {
    const id = await addConnector(app.database.db, { tenantId: tenantId(), name: 'A file' })
    for (const call of [start(id), cancel(id), setRules(id, []), preview(id, { rules: [] })])
      expect((await call).body.code).toBe('CONNECTOR_KIND_WRONG')
  })

  it('change a connector whose own mask admits no change', async () => {
    const id = await target()
    await app.call('tenant', updateConnector, { ...paramsOf(id), body: { permissions: 1 } })
    for (const call of [start(id), cancel(id), setRules(id, [NICKNAME])]) expect((await call).body.code).toBe('PERMISSION_MISSING')
    expect(await last(id)).toBeNull()
  })
})

describe('trying a target', () => {
  it('cannot be cancelled before it was begun, or when it is over', async () => {
    const id = await target()
    expect((await cancel(id)).status).toBe(404)
    await start(id)
    await ended(id)
    expect((await cancel(id)).body).toMatchObject({ code: 'RUN_STATE_WRONG', params: { state: 'succeeded' } })
    expect((await last(id))?.state).toBe('succeeded')
  })

  it('ends when it is cancelled, and removes the throw-away account all the same', async () => {
    // every answer takes its time, so that the try is under way
    const id = await target({ delayMs: 150 })
    await start(id)
    await vi.waitFor(() => expect(standIn.accounts.size).toBe(1), { timeout: 10_000, interval: 20 })
    expect((await cancel(id)).status).toBe(200)
    // whoever presses twice does no harm
    await cancel(id)
    const run = await ended(id)
    expect(run).toMatchObject({ state: 'cancelled', leftOvers: [], failure: null })
    expect(run.results.length).toBeLessThan(contract.CONFORMANCE_CHECKS.length)
    expect(standIn.accounts.size).toBe(0)
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'connector.conformance.cancelled', data: { left: 0 } })
    await start(id)
    expect((await ended(id)).state).toBe('succeeded')
  })

  it('tells what it does, and leaves neither accounts nor secrets behind', async () => {
    const id = await target({ versions: true })
    const started = await start(id)
    expect(started.status).toBe(201)
    expect(started.body).toMatchObject({
      // a worker may have begun before the answer was made
      state: expect.stringMatching(/^(queued|running)$/),
      userName: expect.stringMatching(/^instep-check-\w+@instep-check\.invalid$/),
    })
    const run = await ended(id)
    expect(run).toMatchObject({ state: 'succeeded', leftOvers: [], fitting: { profile: 'generic', settings: {} }, failure: null })
    expect(run.results.map(({ check }) => check)).toEqual(contract.CONFORMANCE_CHECKS)
    expect(standIn.accounts.size).toBe(0)
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['connector.conformance.started', 'connector.conformance.finished'])
    expect(JSON.stringify([run, await eventsOf(id)])).not.toContain('a-secret')
  })

  it('tells which accounts could not be removed', async () => {
    const id = await target({ deletes: 'refused' })
    await start(id)
    const run = await ended(id)
    expect(run.state).toBe('partlySucceeded')
    expect(run.leftOvers).toEqual([{ remoteId: [...standIn.accounts.keys()][0], active: false }])
    expect((await eventsOf(id)).at(-1)?.data).toMatchObject({ left: 1 })
  })

  it('ends with the reason where the target lets nobody in', async () => {
    const id = await target({ authorization: () => false })
    await start(id)
    const run = await ended(id)
    expect(run).toMatchObject({ state: 'failed', results: [], failure: expect.stringContaining('401') })
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'connector.conformance.failed' })
  })

  it('removes what an attempt left that died, and begins anew', async () => {
    const id = await target()
    const { db } = app.database
    await start(id)
    await ended(id)
    // as if the worker had died between making the account and anything else
    await sql`update runs set state = 'running', finished_at = null, leased_until = now() - interval '1 second', lease_owner = null
      where connector_id = ${id}`.execute(db)
    const { userName } = (await last(id)) ?? { userName: '' }
    standIn.accounts.set('lost', { id: 'lost', userName, meta: {} })
    await sql`update conformance_checks set made = '{lost}' where target_id = ${id}`.execute(db)
    const run = await ended(id)
    expect(run.state).toBe('succeeded')
    expect(run.results.find(({ check }) => check === 'create')?.outcome).toBe('yes')
    expect(standIn.accounts.size).toBe(0)
  })

  it('is not done twice at once', async () => {
    const id = await target()
    const answers = await Promise.all([start(id), start(id), start(id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('RUN_ACTIVE')
    await ended(id)
  })
})

describe('attribute rules', () => {
  it('are refused where they name no attribute, or one that is not ours to set', async () => {
    const id = await target()
    for (const path of ['', 'active', 'emails.value', 'id']) expect((await setRules(id, [{ ...NICKNAME, path }])).body.code).toBe('INVALID')
    expect(await eventsOf(id)).toEqual([])
  })

  it('become versions, with an event; the same ones leave no trace', async () => {
    const id = await target()
    expect((await app.call('tenant', contract.getAttributeRules, paramsOf(id))).body).toEqual({ version: null, rules: [] })
    expect((await setRules(id, [NICKNAME])).body).toEqual({ version: 1, rules: [NICKNAME] })
    expect((await setRules(id, [NICKNAME])).body.version).toBe(1)
    expect((await setRules(id, [])).body).toEqual({ version: 2, rules: [] })
    expect((await eventsOf(id)).map(({ type, data }) => [type, data['version'], data['changed']])).toEqual([
      ['connector.attributes.changed', 1, 'nickName'],
      ['connector.attributes.changed', 2, 'nickName'],
    ])
  })

  it('show what they would make of a person, and change nothing', async () => {
    const id = await target()
    const { db } = app.database
    const connectorId = await addConnector(db, { tenantId: tenantId(), name: uuidv7() })
    const [userId = ''] = await addPeople(db, { tenantId: tenantId(), connectorId }, [
      { given_name: 'Ana', work_email: 'ana@example.com', title: 'Baker' },
    ])
    const rules: AttributeRules = [NICKNAME, { path: 'title', from: { kind: 'nothing' }, as: 'text' }]
    const shown = await preview(id, { rules, userId })
    expect(shown.body.person).toMatchObject({ id: userId })
    expect(shown.body.attributes).toEqual(
      expect.arrayContaining([
        { path: 'nickName', before: null, after: 'Ana' },
        { path: 'title', before: 'Baker', after: null },
        { path: 'emails[type eq "work"].value', before: 'ana@example.com', after: 'ana@example.com' },
      ]),
    )
    expect((await preview(id, { rules, userId: uuidv7() })).status).toBe(404)
    expect((await preview(id, { rules })).body.person).not.toBeNull()
    expect(standIn.asked).toEqual([])
    expect(await eventsOf(id)).toEqual([])
  })

  it('say what is wrong where the settings of the target cannot be used', async () => {
    const id = await target()
    const set = (properties: Record<string, string>) => app.call('tenant', updateConnector, { ...paramsOf(id), body: { properties } })
    expect((await set({ token: 'two words' })).body.fields).toEqual({ 'properties.token': ['This is not written as it should be.'] })
    expect((await set({ authentication: 'basic', userName: 'two:names', password: 'p' })).status).toBe(200)
    expect((await preview(id, { rules: [] })).body.code).toBe('TARGET_UNREACHABLE')
  })

  it('reach the target with the next accounts, and those that are there', async () => {
    const id = await target({}, true)
    await vi.waitFor(() => expect(standIn.accounts.size).toBeGreaterThan(0), { timeout: 20_000 })
    await setRules(id, [NICKNAME])
    await vi.waitFor(() => expect([...standIn.accounts.values()].every((account) => account['nickName'] !== undefined)).toBe(true), {
      timeout: 20_000,
    })
  })
})
