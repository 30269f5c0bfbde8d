import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { addConnector, addPeople, linkPeople } from '../../testing/people.ts'
import { actOnDates } from './act-on-dates.ts'
import { allowDates, listDateHolds } from './date-holds.ts'
import { ADMIN, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
let connectorId: string
const SITES = { Auckland: 'Pacific/Auckland', Paris: 'Europe/Paris', 'Los Angeles': 'America/Los_Angeles' }
const sites = new Map<string, string>()
const db = () => world.database.db

beforeAll(async () => {
  world = await syncWorld()
  for (const [name, zone] of Object.entries(SITES)) {
    const id = uuidv7()
    sites.set(name, id)
    await sql`insert into sites (tenant_id, id, name, time_zone) values (${world.tenantId}, ${id}, ${name}, ${zone})`.execute(db())
  }
})
afterAll(() => world.close())
// a connector of its own for each test, so that none weighs on another's guard
beforeEach(async () => {
  await sql`delete from users`.execute(db())
  await sql`update tenants set time_zone = 'Europe/London'`.execute(db())
  connectorId = await addConnector(db(), { tenantId: world.tenantId, name: uuidv7() })
})

interface Somebody {
  site?: string
  start?: string
  end?: string
  base?: Record<string, unknown>
  locked?: boolean
  linked?: boolean
}

const add = async ({ site, start, end, base = {}, locked = false, linked = true }: Somebody): Promise<string> => {
  const externalId = uuidv7()
  const values = { externalId, givenName: 'Ada', familyName: 'Byron', startDate: start, endDate: end, active: true, ...base }
  const population = { tenantId: world.tenantId, connectorId }
  const [id = ''] = await addPeople(db(), population, [
    {
      external_id: externalId,
      site_id: site ? (sites.get(site) ?? null) : null,
      start_date: start ?? null,
      end_date: end ?? null,
      active: values.active,
      locked,
      base: JSON.stringify(values),
    },
  ])
  if (linked) await linkPeople(db(), population, [id])
  return id
}
const AWAITED = { active: false, employment: 'notStarted' }
const personOf = (id: string) => db().selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const stateOf = async (id: string) => {
  const { active, employment_state } = await personOf(id)
  return `${active ? 'active' : 'inactive'} ${employment_state}`
}
const eventsOf = async (id: string) => {
  const { rows } = await sql<{ type: string; data: Record<string, unknown> }>`
    select type, data from events where subject_id = ${id} order by id`.execute(db())
  return rows
}
const pendingOf = async (id: string) =>
  (await db().selectFrom('target_accounts').selectAll().where('user_id', '=', id).where('state', '=', 'pending').execute()).length
const pass = (at: string | Date) => actOnDates(db(), new Date(at))
const secondBefore = (at: string) => new Date(new Date(at).getTime() - 1000)

describe('a start date acts at the midnight before it, where the person works', () => {
  it.each([
    ['Auckland', '2026-03-03', '2026-03-02T11:00:00Z'],
    ['Auckland', '2026-04-06', '2026-04-05T12:00:00Z'],
    ['Auckland', '2026-09-27', '2026-09-26T12:00:00Z'],
    ['Paris', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Paris', '2026-10-26', '2026-10-25T23:00:00Z'],
    ['Los Angeles', '2026-03-09', '2026-03-09T07:00:00Z'],
    ['Los Angeles', '2026-11-01', '2026-11-01T07:00:00Z'],
  ])('in %s on %s', async (site, start, midnight) => {
    const id = await add({ site, start, base: AWAITED })
    expect(await pass(secondBefore(midnight))).toBe(0)
    expect(await stateOf(id)).toBe('inactive notStarted')
    expect(await pass(midnight)).toBe(1)
    expect(await stateOf(id)).toBe('active employed')
    const [event, ...more] = await eventsOf(id)
    expect([event?.type, event?.data, more]).toEqual(['user.started', { date: start, version: 2 }, []])
    expect(await pendingOf(id)).toBe(1)
    expect(await pass(midnight)).toBe(0)
  })
})

describe('an end date acts at the midnight after it, where the person works', () => {
  it.each([
    ['Auckland', '2026-04-05', '2026-04-05T12:00:00Z'],
    ['Auckland', '2026-09-27', '2026-09-27T11:00:00Z'],
    ['Paris', '2026-03-29', '2026-03-29T22:00:00Z'],
    ['Paris', '2026-10-25', '2026-10-25T23:00:00Z'],
    ['Los Angeles', '2026-03-08', '2026-03-09T07:00:00Z'],
    ['Los Angeles', '2026-11-01', '2026-11-02T08:00:00Z'],
  ])('in %s on %s', async (site, end, midnight) => {
    const id = await add({ site, end })
    await add({})
    expect(await pass(secondBefore(midnight))).toBe(0)
    expect(await stateOf(id)).toBe('active employed')
    expect(await pass(midnight)).toBe(1)
    expect(await stateOf(id)).toBe('inactive ended')
    expect((await personOf(id)).deactivated_at).toEqual(new Date(midnight))
    expect((await eventsOf(id)).map(({ type, data }) => [type, data])).toEqual([['user.ended', { date: end, version: 2 }]])
    expect(await pendingOf(id)).toBe(1)
    expect(await pass(midnight)).toBe(0)
  })

  it('and in the tenant’s zone without a site, also when the tenant moves to another one', async () => {
    const id = await add({ end: '2026-06-10' })
    await add({})
    await sql`update tenants set time_zone = 'America/Los_Angeles'`.execute(db())
    expect(await pass('2026-06-10T23:30:00Z')).toBe(0)
    await sql`update tenants set time_zone = 'Pacific/Auckland'`.execute(db())
    expect(await pass('2026-06-10T23:30:00Z')).toBe(1)
    expect(await stateOf(id)).toBe('inactive ended')
  })

  it('on people who were added by hand too', async () => {
    const id = await add({ end: '2026-06-10', linked: false })
    await add({})
    expect(await pass('2026-06-11T12:00:00Z')).toBe(1)
    expect(await stateOf(id)).toBe('inactive ended')
  })

  it('before somebody ever started', async () => {
    const id = await add({ start: '2026-07-01', end: '2026-06-10', base: AWAITED })
    expect(await pass('2026-06-11T12:00:00Z')).toBe(1)
    expect(await pass('2026-07-02T12:00:00Z')).toBe(0)
    expect(await stateOf(id)).toBe('inactive ended')
  })
})

describe('no date acts', () => {
  const late = '2026-07-01T12:00:00Z'

  it('on who is locked, until they are unlocked', async () => {
    const id = await add({ end: '2026-06-10', locked: true })
    await add({})
    expect(await pass(late)).toBe(0)
    await sql`update users set locked = false where id = ${id}`.execute(db())
    expect(await pass(late)).toBe(1)
  })

  it('on who has left the source', async () => {
    const id = await add({ start: '2026-06-10', base: AWAITED })
    await sql`update source_links set missing_since = now() where user_id = ${id}`.execute(db())
    expect(await pass(late)).toBe(0)
  })

  it('against an override of active, and the targets hear nothing', async () => {
    const id = await add({ end: '2026-06-10' })
    await add({})
    await sql`
      insert into user_overrides (tenant_id, user_id, field, value, by, at) values (${world.tenantId}, ${id}, 'active', 'true', '{}', now())`.execute(
      db(),
    )
    await pass(late)
    expect(await stateOf(id)).toBe('active ended')
    expect(await pendingOf(id)).toBe(0)
    expect((await personOf(id)).version).toBe(1)
  })
})

it('brings back who was ended, when the end date is taken away or lies later', async () => {
  const ended = { active: false, employment: 'ended' }
  const [gone, later, past] = [
    await add({ base: ended }),
    await add({ base: ended, end: '2026-06-11' }),
    await add({ base: ended, end: '2026-06-10' }),
  ]
  expect(await pass('2026-06-11T12:00:00Z')).toBe(2)
  expect([await stateOf(gone), await stateOf(later), await stateOf(past)]).toEqual(['active employed', 'active employed', 'inactive ended'])
  expect((await eventsOf(gone)).map(({ type }) => type)).toEqual(['user.resumed'])
})

describe('the guard', () => {
  const at = (hour: string) => ({ at: new Date(`2026-06-11T${hour}:00Z`), tenantId: world.tenantId, connectorId })
  const holds = () => listDateHolds(db(), { tenantId: world.tenantId })
  const addMany = async (count: number, end?: string) => {
    for (let done = 0; done < count; done += 1) await add(end === undefined ? {} : { end })
  }
  const countActive = async () => Number((await sql<{ n: string }>`select count(*) as n from users where active`.execute(db())).rows[0]?.n)
  const typesOf = async () => {
    const { rows } = await sql<{ type: string }>`
      select type from events where connector_id = ${connectorId} and stream = 'directory' order by id`.execute(db())
    return rows.map(({ type }) => type)
  }

  it('stops end dates that would take too many, of that connector alone, and says so once', async () => {
    await addMany(8, '2026-06-10')
    await addMany(6)
    const held = connectorId
    connectorId = await addConnector(db(), { tenantId: world.tenantId, name: uuidv7() })
    await addMany(1, '2026-06-10')
    await addMany(1)
    expect(await actOnDates(db(), at('12:00').at)).toBe(1)
    expect(await actOnDates(db(), at('12:05').at)).toBe(0)
    connectorId = held
    expect(await holds()).toMatchObject([{ connectorId: held, ending: 8, allowed: false, held: { code: 'massDeactivation' } }])
    expect(await typesOf()).toEqual(['dates.held'])
    expect(await countActive()).toBe(15)
  })

  it('lets them go when an administrator says so, with a reason, for as many as were held', async () => {
    await addMany(8, '2026-06-10')
    await addMany(6)
    await actOnDates(db(), at('12:00').at)
    const allow = () => allowDates(db(), { ...at('12:01'), by: ADMIN, reason: 'The season is over', correlationId: uuidv7() })
    await allow()
    await expect(allow()).rejects.toMatchObject({ code: 'DATES_NOT_HELD' })
    expect(await actOnDates(db(), at('12:05').at)).toBe(8)
    expect(await holds()).toEqual([])
    expect(await typesOf()).toEqual(['dates.held', 'dates.allowed'])
    // they were decided about, and do not weigh on the next day's guard
    await sql`update users set end_date = '2026-06-10' where id in (select id from users where active limit 1)`.execute(db())
    expect(await actOnDates(db(), at('13:00').at)).toBe(1)
  })

  it('does not take an allowance for more people than it was given for', async () => {
    await addMany(8, '2026-06-10')
    await addMany(6)
    await actOnDates(db(), at('12:00').at)
    await allowDates(db(), { ...at('12:01'), by: ADMIN, reason: 'The season is over', correlationId: uuidv7() })
    await addMany(1, '2026-06-10')
    expect(await actOnDates(db(), at('12:05').at)).toBe(0)
    expect(await holds()).toMatchObject([{ ending: 9, allowed: false }])
  })

  it('sees a slow bleed over a day, and forgets it afterwards', async () => {
    await addMany(30)
    await addMany(4, '2026-06-10')
    expect(await actOnDates(db(), at('00:30').at)).toBe(4)
    await addMany(4, '2026-06-10')
    expect(await actOnDates(db(), at('12:00').at)).toBe(0)
    expect(await actOnDates(db(), new Date('2026-06-12T01:00:00Z'))).toBe(4)
    expect(await holds()).toEqual([])
  })

  it('forgets a hold when nobody waits any more', async () => {
    await addMany(8, '2026-06-10')
    await actOnDates(db(), at('12:00').at)
    await sql`update users set end_date = null`.execute(db())
    await actOnDates(db(), at('12:05').at)
    expect(await holds()).toEqual([])
  })
})
