import type { FetchingSource } from '@instep/connectors/kit/fetching-source.ts'
import { createLdapSource } from '@instep/connectors/ldap/ldap-source.ts'
import { toGeneralizedTime } from '@instep/connectors/ldap/ldap-values.ts'
import { startLdapStandIn } from '@instep/connectors/ldap/testing/ldap-stand-in.ts'
import { createRestSource } from '@instep/connectors/rest/rest-source.ts'
import { answer, json, startRestStandIn } from '@instep/connectors/rest/testing/rest-stand-in.ts'
import type { Mapping, Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { saveConfig } from '../connectors/public.ts'
import { listCases } from './cases.views.ts'
import { rejectRun } from './decide-run.ts'
import { fetchNow } from './start-fetch.ts'
import { ADMIN, type SyncWorld, syncWorld } from './testing/sync-world.ts'

/** An outside system that can say what changed. */
interface Outside {
  open(): FetchingSource
  put(id: string, name: string, at: Date): void
  remove(id: string): void
  /** The next fetch meets a system that is out of order. */
  fail(): void
  close(): Promise<void>
  readonly mapping: Mapping
}

const rest = async (): Promise<Outside> => {
  const people = new Map<string, { id: string; first: string; last: string; changed: string }>()
  const server = await startRestStandIn((response, { query }) => {
    const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z')
    json(response, { people: [...people.values()].filter(({ changed }) => Date.parse(changed) >= since) })
  })
  const properties = {
    url: `${server.origin}/people`,
    recordsPath: 'people',
    changedParameter: 'since',
    overlapMinutes: 0,
    fullEveryDays: 7,
  }
  return {
    open: () => createRestSource({ properties, secrets: {} }, { allowPrivate: true, sleep: async () => undefined }),
    put: (id, first, at) => void people.set(id, { id, first, last: 'Byron', changed: at.toISOString() }),
    remove: (id) => void people.delete(id),
    fail: () => server.misbehave(answer(403)),
    close: () => server.close(),
    mapping: { fields: { externalId: { column: 'id' }, givenName: { column: 'first' }, familyName: { column: 'last' } } },
  }
}

const BASE = 'ou=people,dc=example,dc=com'

const ldap = async (): Promise<Outside> => {
  const server = await startLdapStandIn()
  const properties = { server: server.url, allowPlain: true, directory: 'openLdap', bindDn: server.bindDn, baseDn: BASE }
  const changes = { changeAttribute: 'modifyTimestamp', overlapMinutes: 0, fullEveryDays: 7 }
  const remove = (id: string) => {
    const place = server.entries.findIndex(({ dn }) => dn === `uid=${id},${BASE}`)
    if (place >= 0) server.entries.splice(place, 1)
  }
  return {
    open: () =>
      createLdapSource({ properties: { ...properties, ...changes }, secrets: { password: server.password } }, { allowPrivate: true }),
    put: (uid, givenName, at) => {
      remove(uid)
      const changed = { modifyTimestamp: toGeneralizedTime(at, 'Z') }
      const attributes = { objectClass: ['person', 'inetOrgPerson'], uid, givenName, sn: 'Byron', ...changed }
      server.entries.push({ dn: `uid=${uid},${BASE}`, attributes })
    },
    remove,
    fail: () => server.misbehave({ status: 50 }),
    close: () => server.close(),
    mapping: { fields: { externalId: { column: 'uid' }, givenName: { column: 'givenName' }, familyName: { column: 'sn' } } },
  }
}

describe.each([
  ['rest', rest],
  ['ldap', ldap],
])('a %s source that tells what changed', (_, start) => {
  let outside: Outside
  let world: SyncWorld
  let interfere: ((handler: RunHandler) => RunHandler) | undefined
  let now: Date

  const at = (text: string) => {
    now = new Date(text)
    world.setTime(now)
  }
  beforeEach(async () => {
    interfere = undefined
    outside = await start()
    const wrap =
      (handler: RunHandler): RunHandler =>
      (context) =>
        (interfere ? interfere(handler) : handler)(context)
    world = await syncWorld({ source: () => outside.open(), wrap })
    at('2026-03-02T06:00:00Z')
    const { tenantId, connectorId } = world
    await world.database.db
      .transaction()
      .execute((tx) => saveConfig(tx, { tenantId, connectorId, change: { mapping: outside.mapping }, by: ADMIN, at: now }))
    for (let number = 1; number <= 12; number += 1) outside.put(`E${number}`, 'Ada', earlier())
    await world.apply(await fetch())
    at('2026-03-03T06:00:00Z')
  })
  afterEach(async () => {
    await world.close()
    await outside.close()
  })

  const earlier = () => new Date(now.getTime() - 60_000)
  const fetch = async (): Promise<Run> => {
    const { tenantId, connectorId } = world
    const { id } = await fetchNow(world.deps, { tenantId, connectorId, dryRun: false, by: ADMIN, correlationId: uuidv7() })
    return world.until(id, ['planned', 'held', 'failed', 'succeeded'])
  }
  const watermark = async () => {
    const { rows } = await sql<{ watermark: unknown }>`select watermark from source_states`.execute(world.database.db)
    return rows[0]?.watermark
  }
  const nameOf = async (id: string) => (await world.people()).get(id)?.given_name
  const inactive = async () => [...(await world.people()).values()].filter(({ active }) => !active).map(({ external_id }) => external_id)
  const extentOf = async (run: Run) => {
    const { rows } = await sql<{
      extent: string
    }>`select input -> 'fetch' -> 'fetched' ->> 'extent' as extent from runs where id = ${run.id}`.execute(world.database.db)
    return rows[0]?.extent
  }

  it('brings changes alone and makes nobody a leaver, until everybody is fetched again', async () => {
    outside.put('E1', 'Eve', earlier())
    outside.put('E13', 'New', earlier())
    outside.remove('E12')
    const changes = await fetch()
    expect(changes.counts).toMatchObject({ create: 1, update: 1, deactivate: 0 })
    expect(await extentOf(changes)).toBe('changes')
    await world.apply(changes)
    expect([await nameOf('E1'), await inactive()]).toEqual(['Eve', []])

    at('2026-03-04T06:00:00Z')
    expect(await fetch()).toMatchObject({ state: 'succeeded', nothingNew: true, counts: { deactivate: 0 } })

    at('2026-03-09T07:00:00Z')
    const everybody = await fetch()
    expect(await extentOf(everybody)).toBe('full')
    expect(everybody.counts).toMatchObject({ create: 0, update: 0, deactivate: 1, unchanged: 12 })
    await world.apply(everybody)
    expect(await inactive()).toEqual(['E12'])
  })

  it('leaves open what is asked about somebody whom the changes do not name, and settles it when they do', async () => {
    const { tenantId, connectorId, database } = world
    const open = async () => (await listCases(database.db, { tenantId, state: 'open', limit: 9 })).map(({ sourceKey }) => sourceKey)
    await sql`
      insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, base, created_at, updated_at)
      values (${tenantId}, ${uuidv7()}, ${connectorId}, 'E13', 'Man', 'Ual', 'Man Ual', '{"active": true}', now(), now())`.execute(
      database.db,
    )
    outside.put('E13', 'Eve', earlier())
    await world.apply(await fetch())
    expect(await open()).toEqual(['E13'])

    at('2026-03-04T06:00:00Z')
    outside.put('E1', 'Eve', earlier())
    const others = await fetch()
    expect(others.counts).toMatchObject({ update: 1, conflict: 0 })
    await world.apply(others)
    expect(await open()).toEqual(['E13'])

    at('2026-03-05T06:00:00Z')
    await sql`delete from users where tenant_id = ${tenantId} and external_id = 'E13'`.execute(database.db)
    outside.put('E13', 'Eve', earlier())
    await world.apply(await fetch())
    expect(await open()).toEqual([])
  })

  it('is asked for the same changes again after a run that failed, and after one that was rejected', async () => {
    const before = await watermark()
    outside.put('E1', 'Eve', earlier())
    outside.fail()
    expect((await fetch()).state).toBe('failed')
    expect(await watermark()).toEqual(before)

    at('2026-03-03T07:00:00Z')
    const refused = await fetch()
    expect(refused.counts).toMatchObject({ update: 1 })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: refused.id, by: ADMIN })
    expect(await watermark()).toEqual(before)

    at('2026-03-03T08:00:00Z')
    const again = await fetch()
    expect(again.counts).toMatchObject({ update: 1 })
    await world.apply(again)
    expect(await nameOf('E1')).toBe('Eve')
    expect(await watermark()).not.toEqual(before)
  })

  it('keeps its watermark through a crash, whatever the run was at', async () => {
    const before = await watermark()
    outside.put('E1', 'Eve', earlier())
    const run = await fetch()
    // as a crash in the middle of planning leaves it, with more news since
    outside.put('E2', 'Eve', now)
    await sql`update runs set state = 'running', leased_until = now() - interval '1 second' where id = ${run.id}`.execute(world.database.db)
    const planned = await world.until(run.id, ['planned'])
    expect(planned.counts).toMatchObject({ update: 1, deactivate: 0 })
    expect(await watermark()).toEqual(before)

    let ends = 0
    // the connection breaks in the transaction that moves the watermark
    interfere = (handler) => async (context) =>
      handler({
        ...context,
        commit: async (tx, patch) => {
          await context.commit(tx, patch)
          if (patch.finishedAt === undefined) return
          ends += 1
          if (ends === 1) throw Object.assign(new Error('the connection is gone'), { code: '08006' })
        },
      })
    expect(await world.apply(planned)).toMatchObject({ state: 'succeeded', applied: 1 })
    expect(ends).toBe(2)
    expect(await watermark()).not.toEqual(before)
    interfere = undefined

    // what came after it was read is not lost: it is asked for from the moment at which the fetch began
    const next = await fetch()
    expect(next.counts).toMatchObject({ update: 1, deactivate: 0 })
    await world.apply(next)
    expect([await nameOf('E1'), await nameOf('E2'), await inactive()]).toEqual(['Eve', 'Eve', []])
  })
})
