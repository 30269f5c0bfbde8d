import { keptUntil } from '@instep/contract/grace-period.ts'
import type { PlacementRule } from '@instep/contract/placement.ts'
import type { Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { updatePlacement } from './change-placement.ts'
import { explainRecord } from './explain-record.ts'
import { explainUser } from './explain-run.ts'
import { graceInForce, updateGrace } from './grace-period.ts'
import { startTrial } from './start-trial.ts'
import { startUndo } from './start-undo.ts'
import { ADMIN, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
let north: string
let south: string
beforeEach(async () => {
  world = await syncWorld()
  const { rows } = await sql<{ id: string; name: string }>`select id, name from sites where tenant_id = ${world.tenantId}`.execute(
    world.deps.db,
  )
  north = rows.find(({ name }) => name === 'North')?.id ?? ''
  south = rows.find(({ name }) => name === 'South')?.id ?? ''
})
afterEach(() => world.close())

const key = () => ({ tenantId: world.tenantId, connectorId: world.connectorId })
const by = () => ({ by: ADMIN, correlationId: uuidv7() })
const setRules = (...rules: PlacementRule[]) => updatePlacement(world.deps, { ...key(), ...by(), placement: { rules } })
const called = (name: string, siteId: string): PlacementRule => ({
  when: { field: 'givenName', operator: 'equals', value: name },
  to: { siteId },
})
const BY_NAME: PlacementRule = { to: { field: 'locationName', by: 'name' } }
const sites = async () => Object.fromEntries([...(await world.people())].map(([id, { site_id }]) => [id, site_id]))
const moveByHand = (externalId: string, siteId: string | null) =>
  sql`update users set site_id = ${siteId}, version = version + 1 where external_id = ${externalId}`.execute(world.deps.db)
const told = async (run: Pick<Run, 'id'>) =>
  (await world.rows(run)).map(({ sourceKey, kind, reasons }) => [sourceKey, kind, ...reasons.map(({ code }) => code)].join(' '))

describe('rules that cannot be kept', () => {
  it('name a site of nobody or of another tenant: refused, and nothing is kept', async () => {
    const before = await sql`select from connector_versions`.execute(world.deps.db)
    await expect(setRules({ to: { siteId: uuidv7() } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await sql`select from connector_versions`.execute(world.deps.db)).rows.length).toBe(before.rows.length)
  })

  it('say nothing new: no version and no event', async () => {
    await setRules(BY_NAME)
    const { version } = await setRules(BY_NAME)
    const { rows } = await sql`select from events where type = 'connector.placement.changed'`.execute(world.deps.db)
    expect([version, rows.length]).toEqual([1, 1])
  })
})

describe('without rules', () => {
  it('the location names the site, and an unknown one leaves the person Unassigned', async () => {
    await world.sync([person('E1'), person('E2', { store: 'south' }), person('E3', { store: 'Atlantis' })])
    expect(await sites()).toEqual({ E1: north, E2: south, E3: null })
  })

  it('the location names the site however much white space stands in it, for the database as for the plan', async () => {
    await sql`update sites set name = 'South Quay' where id = ${south}`.execute(world.deps.db)
    const run = await world.plan([person('E1', { store: 'south   QUAY' }), person('E2', { store: 'South\u00a0\u2003Quay' })])
    await world.apply(run, 'right')
    expect(await sites()).toEqual({ E1: south, E2: south })
  })
})

describe('with rules', () => {
  it('the first that fits decides, whom none places is Unassigned, and the plan says why', async () => {
    await world.sync([person('E0')])
    await setRules(called('Bo', south), BY_NAME)
    const run = await world.plan([person('E0'), person('E1', { first: 'Bo' }), person('E2', { store: 'Atlantis' })])
    expect(await told(run)).toEqual(['E1 create placedByRule', 'E2 create placedNowhere'])
    expect((await world.rows(run))[0]?.reasons).toContainEqual({ code: 'placedByRule', params: { rule: 1, site: 'South' } })
    await world.apply(run, 'right')
    expect(await sites()).toEqual({ E0: north, E1: south, E2: null })
  })

  it('move whom they put elsewhere, although the file is the same, and then nobody any more', async () => {
    const file = [person('E1'), person('E2', { first: 'Bo' })]
    await world.sync(file)
    await setRules(called('Bo', south), BY_NAME)
    const run = await world.plan(file)
    expect(await told(run)).toEqual(['E2 update placedByRule'])
    const { version } = (await world.people()).get('E2') ?? { version: 0 }
    await world.apply(run, 'right')
    expect(await sites()).toEqual({ E1: north, E2: south })
    expect((await world.people()).get('E2')?.version).toBe(version + 1)
    expect(await told(await world.plan(file))).toEqual([])
  })

  it('leave somebody where an administrator put them, until the source names another site', async () => {
    await setRules(BY_NAME)
    await world.sync([person('E1')])
    await moveByHand('E1', south)
    await world.sync([person('E1', { first: 'Renamed' })])
    expect(await sites()).toEqual({ E1: south })
    await world.sync([person('E1', { store: 'South' })])
    await world.sync([person('E1', { store: 'North' })])
    expect(await sites()).toEqual({ E1: north })
  })

  it('that come later leave somebody moved by hand alone where they name what the location named', async () => {
    await world.sync([person('E1')])
    await moveByHand('E1', south)
    await setRules(BY_NAME)
    await world.sync([person('E1', { first: 'Renamed' })])
    expect(await sites()).toEqual({ E1: south })
  })

  it('nor do they move them back where the location has other white space than the name of its site', async () => {
    await sql`update sites set name = 'North East' where id = ${north}`.execute(world.deps.db)
    await world.sync([person('E1', { store: 'North  East' })])
    expect(await sites()).toEqual({ E1: north })
    await moveByHand('E1', south)
    await setRules(BY_NAME)
    await world.sync([person('E1', { store: 'North  East', first: 'Renamed' })])
    expect(await sites()).toEqual({ E1: south })
  })

  it('count instead of the location, also where it changes', async () => {
    await setRules(called('Ada', south))
    await world.sync([person('E1')])
    await world.sync([person('E1', { store: 'South' })])
    await world.sync([person('E1', { store: 'North' })])
    expect(await sites()).toEqual({ E1: south })
  })

  it('that are taken away give the site back to the location', async () => {
    await setRules(called('Ada', south))
    await world.sync([person('E1'), person('E2', { first: 'Bo', store: 'South' })])
    expect(await sites()).toEqual({ E1: south, E2: null })
    await setRules()
    await world.sync([person('E1'), person('E2', { first: 'Bo', store: 'South' })])
    expect(await sites()).toEqual({ E1: north, E2: south })
    expect(await told(await world.plan([person('E1'), person('E2', { first: 'Bo', store: 'South' })]))).toEqual([])
  })

  it('go by the code that HR has for a site', async () => {
    await sql`update sites set external_code = 'S-7' where id = ${south}`.execute(world.deps.db)
    await setRules({ to: { field: 'locationName', by: 'code' } })
    await world.sync([person('E1', { store: 's-7' })])
    expect(await sites()).toEqual({ E1: south })
  })

  it('put nobody at a site that has closed since the plan', async () => {
    await setRules(called('Ada', south))
    const run = await world.plan([person('E1')])
    await sql`update sites set active = false where id = ${south}`.execute(world.deps.db)
    await world.apply(run, 'right')
    expect(await sites()).toEqual({ E1: null })
  })

  it('are taken back with the run that moved people by them', async () => {
    const file = [person('E1'), person('E2', { first: 'Bo' })]
    await world.sync(file)
    await setRules(called('Bo', south), BY_NAME)
    const run = await world.sync(file)
    expect(await sites()).toEqual({ E1: north, E2: south })
    const { id } = await startUndo(world.deps, { tenantId: world.tenantId, runId: run.id, ...by() })
    await world.until(id, ['planned', 'held'])
    await world.apply({ id }, 'wrong rules')
    expect(await sites()).toEqual({ E1: north, E2: north })
  })

  it('let dates act where they put somebody', async () => {
    await sql`update sites set time_zone = 'Pacific/Kiritimati' where id = ${south}`.execute(world.deps.db)
    world.setTime(new Date('2026-11-20T12:00:00Z'))
    await setRules(called('Ada', south))
    await world.sync([person('E1', { start: '21/11/2026' }), person('E2', { first: 'Bo', start: '21/11/2026' })])
    const people = await world.people()
    expect([people.get('E1')?.active, people.get('E2')?.active]).toEqual([true, false])
  })

  it('can be tried on the last file without moving anybody', async () => {
    await world.sync([person('E1')])
    const { version } = await setRules(called('Ada', south))
    const { id } = await startTrial(world.deps, { ...key(), version: version ?? 0, ...by() })
    const run = await world.until(id, ['succeeded', 'failed'])
    expect(await told(run)).toEqual(['E1 update placedByRule'])
    expect(await sites()).toEqual({ E1: north })
  })

  it('are explained, for somebody and for a record pasted in', async () => {
    await setRules(called('Bo', south), BY_NAME)
    await world.sync([person('E1')])
    const userId = (await world.people()).get('E1')?.id ?? ''
    const site = { id: north, name: 'North' }
    expect((await explainUser(world.deps, { ...key(), userId })).placement).toEqual({ rules: 2, rule: 2, site, now: site })
    const text = 'id,first,last,mail,start,store\nE9,Bo,New,bo@example.com,01/02/2024,Atlantis\n'
    expect((await explainRecord(world.deps, { ...key(), text })).placement).toEqual({
      rules: 2,
      rule: 1,
      site: { id: south, name: 'South' },
      now: null,
    })
  })
})

describe('leavers', () => {
  const leavers = async () =>
    (await sql<{ deactivated_at: Date; kept_until: Date }>`select deactivated_at, kept_until from leavers`.execute(world.deps.db)).rows

  it('are deactivated and never removed, and are due when their grace period is over', async () => {
    world.setTime(new Date('2026-01-10T12:00:00Z'))
    await world.sync([person('E1'), person('E2')])
    await world.sync([person('E1')])
    expect((await leavers()).map(({ kept_until }) => kept_until)).toEqual([new Date('2026-02-09T12:00:00Z')])
    const count = async (at: string) => {
      const { deactivated, due } = await graceInForce(world.deps.db, key(), new Date(at))
      return [deactivated, due]
    }
    expect(await count('2026-02-09T11:59:59Z')).toEqual([1, 0])
    expect(await count('2026-02-09T12:00:00Z')).toEqual([1, 1])
    await world.sync([person('E1')])
    expect((await world.people()).size).toBe(2)
  })

  it('are kept for as long as the configuration says now, as the function says', async () => {
    await world.sync([person('E1'), person('E2')])
    await world.sync([person('E1')])
    for (const days of [0, 7, 3650]) {
      await updateGrace(world.deps, { ...key(), ...by(), grace: { days } })
      const [leaver] = await leavers()
      expect(leaver?.kept_until).toEqual(keptUntil(leaver?.deactivated_at ?? null, { days }))
    }
    const { version } = await updateGrace(world.deps, { ...key(), ...by(), grace: { days: 3650 } })
    expect(version).toBe(4)
  })

  it('who come back are no leavers any more', async () => {
    await world.sync([person('E1'), person('E2')])
    await world.sync([person('E1')])
    await world.sync([person('E1'), person('E2')])
    expect(await leavers()).toEqual([])
    const userId = (await world.people()).get('E2')?.id ?? ''
    expect((await explainUser(world.deps, { ...key(), userId })).keptUntil).toBe(null)
  })
})
