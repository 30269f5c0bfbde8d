import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { markPending } from '../provisioning/public.ts'
import { updateUsers } from '../users/public.ts'
import { holdDates, mayEnd, recordPass, releaseOthers, sumOf } from './date-holds.ts'
import type { Ending } from './guard-figures.ts'
import { protectionOf } from './protected-people.store.ts'

/** People of one transaction. */
const BATCH = 500

/** What a date does to somebody: the members of `base` that change, and what the record of events calls it. */
interface Act {
  readonly patch: { readonly active: boolean; readonly employment: 'ended' | null }
  readonly event: 'user.started' | 'user.ended' | 'user.resumed'
  readonly date: RawBuilder<unknown>
}

const STARTS: Act = { patch: { active: true, employment: null }, event: 'user.started', date: sql`u.start_date` }
const ENDS: Act = { patch: { active: false, employment: 'ended' }, event: 'user.ended', date: sql`u.end_date` }
const RESUMES: Act = { patch: { active: true, employment: null }, event: 'user.resumed', date: sql`u.end_date` }

/** A moment at a tenant. */
interface Pass {
  readonly tenantId: string
  readonly at: Date
}

/** The day that it is where `u` works. */
const dayOf = (at: Date) => sql`(${at}::timestamptz at time zone coalesce(s.time_zone, t.time_zone))::date`

/** People with the place where they work; nobody who is locked, and nobody whose record has left the source. */
const people = ({ tenantId }: Pass) => sql`
  users u join tenants t on t.id = u.tenant_id left join sites s on s.tenant_id = u.tenant_id and s.id = u.site_id
  where u.tenant_id = ${tenantId} and not u.locked and not exists (
    select from source_links l where l.tenant_id = u.tenant_id and l.user_id = u.id and l.missing_since is not null
  )`

// the farthest zone is 14 hours ahead of UTC and the last one 12 behind: what no site's day can have reached is not looked at
const starting = (pass: Pass) => sql`
  ${people(pass)} and u.employment_state = 'notStarted' and u.start_date <= (${pass.at}::timestamptz at time zone 'UTC' + interval '14 hours')::date
    and u.start_date <= ${dayOf(pass.at)} and (u.end_date is null or u.end_date >= ${dayOf(pass.at)})`
const unstarted = (pass: Pass) => sql`
  ${people(pass)} and u.employment_state = 'notStarted' and u.start_date is null and (u.end_date is null or u.end_date >= ${dayOf(pass.at)})`
const ending = (pass: Pass) => sql`
  ${people(pass)} and u.employment_state in ('employed', 'notStarted') and u.end_date is not null
    and ${protectionOf(sql`u.connector_id`)} is null
    and u.end_date < (${pass.at}::timestamptz at time zone 'UTC' + interval '14 hours')::date and u.end_date < ${dayOf(pass.at)}`
const resuming = (pass: Pass) => sql`
  ${people(pass)} and u.employment_state = 'ended'
    and (u.end_date is null or u.end_date >= (${pass.at}::timestamptz at time zone 'UTC' - interval '12 hours')::date)
    and (u.end_date is null or u.end_date >= ${dayOf(pass.at)}) and (u.start_date is null or u.start_date <= ${dayOf(pass.at)})`

interface Taken {
  readonly id: string
  readonly version: number
  readonly connector_id: string
  readonly date: string | null
  readonly was: { readonly active: boolean; readonly employment: string | null }
}

const record = async (tx: Tx, { tenantId, at }: Pass, events: { taken: Taken[]; act: Act; correlationId: string }): Promise<void> => {
  const { taken, act, correlationId } = events
  const told = taken.map(({ id, connector_id, date, was }) => ({ event_id: uuidv7(at.getTime()), id, connector_id, date, was }))
  await sql`
    insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data, before, after)
    select ${tenantId}::uuid, e.event_id, ${at}::timestamptz, 'user', ${act.event}, ${correlationId}, ${JSON.stringify(SYSTEM)}::jsonb, e.id,
      e.connector_id, jsonb_build_object('version', u.version, 'date', coalesce(e.date, '')), e.was, ${JSON.stringify(act.patch)}::jsonb
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as e (event_id uuid, id uuid, connector_id uuid, date text, was jsonb)
    join users u on u.tenant_id = ${tenantId} and u.id = e.id`.execute(tx)
}

const SYSTEM = { kind: 'system' as const, id: null, name: 'Instep' }

const IS_LINKED = sql`exists (select from source_links l where l.tenant_id = u.tenant_id and l.user_id = u.id)`

/** Claims up to a batch of those who are due, in the order of their ids as the sync does, and carries it out with all that belongs to it. */
const actOnce = async (tx: Tx, pass: Pass, { due, act }: { due: RawBuilder<unknown>; act: Act }): Promise<Taken[]> => {
  const { tenantId, at } = pass
  await keepSitesOpen(tx, tenantId)
  const { rows: locked } = await sql<{ id: string }>`select u.id from ${due} order by u.id limit ${BATCH} for update of u`.execute(tx)
  if (locked.length === 0) return []
  // asked once more under their locks: whoever was protected meanwhile is spared
  const { rows: taken } = await sql<Taken>`
    select u.id, u.version, u.connector_id, to_char(${act.date}, 'YYYY-MM-DD') as date,
      jsonb_build_object('active', coalesce((u.base ->> 'active')::boolean, true), 'employment', u.base -> 'employment') as was
    from ${due} and u.id = any (${locked.map(({ id }) => id)}::uuid[]) order by u.id`.execute(tx)
  if (taken.length === 0) return taken
  const correlationId = uuidv7(at.getTime())
  const named = sql`
    select p.id as user_id, p.version as user_version, ${JSON.stringify(act.patch)}::jsonb as patch
    from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as p (id uuid, version integer)`
  await updateUsers(tx, { tenantId, at, rows: named, linked: IS_LINKED })
  await record(tx, pass, { taken, act, correlationId })
  await markPending(tx, {
    tenantId,
    correlationId,
    users: sql`
      select u.id as user_id from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as p (id uuid, version integer)
      join users u on u.tenant_id = ${tenantId} and u.id = p.id and u.version > p.version`,
  })
  return taken
}

const actOn = async (db: Db, pass: Pass, what: { due: RawBuilder<unknown>; act: Act }): Promise<number> => {
  let done = 0
  for (;;) {
    const taken = await db.transaction().execute((tx) => actOnce(tx, pass, what))
    done += taken.length
    if (taken.length < BATCH) return done
  }
}

/** Who ends, by connector and site: how many of them are active, because those count for the guard. */
const endingByConnector = async (db: Db, pass: Pass): Promise<Map<string, Ending[]>> => {
  const { rows } = await sql<Ending & { connectorId: string }>`
    select u.connector_id as "connectorId", u.site_id as "siteId", count(*) filter (where u.active)::integer as ended
    from ${ending(pass)} group by u.connector_id, u.site_id`.execute(db)
  return Map.groupBy(rows, ({ connectorId }) => connectorId)
}

/** Ends people connector by connector, each where its guard or an administrator lets them go. */
const end = async (db: Db, pass: Pass): Promise<number> => {
  let ended = 0
  const waiting: string[] = []
  for (const [connectorId, going] of await endingByConnector(db, pass)) {
    const key = { ...pass, connectorId }
    const may = await mayEnd(db, key, going)
    if (typeof may === 'object') {
      waiting.push(connectorId)
      await holdDates(db, key, { held: may, ending: sumOf(going) })
      continue
    }
    // counted before they go, so that a crash does not make the guard forget anybody; whom an administrator let go are not counted
    if (may === 'guarded') await recordPass(db, key, going)
    ended += await actOn(db, pass, { due: sql`${ending(pass)} and u.connector_id = ${connectorId}`, act: ENDS })
  }
  await releaseOthers(db, { tenantId: pass.tenantId, waiting })
  return ended
}

/**
 * Lets start and end dates act that have come where the people of one tenant work: who starts becomes active, who has ended is deactivated, who was ended
 * and has no or a later end date is back. Each with its event and what the targets owe in one transaction. People who are locked wait; an override of
 * `active` counts whatever the dates say.
 *
 * @returns how many people it concerned
 */
export const actOnDatesOf = async (db: Db, pass: Pass): Promise<number> => {
  const started = await actOn(db, pass, { due: starting(pass), act: STARTS })
  const unbound = await actOn(db, pass, { due: unstarted(pass), act: STARTS })
  const resumed = await actOn(db, pass, { due: resuming(pass), act: RESUMES })
  return started + unbound + resumed + (await end(db, pass))
}

/** The same for every tenant. What fails in one is thrown when the others have had theirs. */
export const actOnDates = async (db: Db, at: Date): Promise<number> => {
  const { rows: tenants } = await sql<{ id: string }>`select id from tenants`.execute(db)
  let acted = 0
  const failures: unknown[] = []
  for (const { id: tenantId } of tenants) {
    try {
      acted += await actOnDatesOf(db, { tenantId, at })
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the dates of some tenants have not acted')
  return acted
}
