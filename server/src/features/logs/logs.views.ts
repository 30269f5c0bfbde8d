import type { LogEntry, TimelineKind } from '@instep/contract/logs.ts'
import { type RawBuilder, sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Db } from '../../platform/db/database.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** An event as the database gives it, with the name that the person it is about bears now. */
export interface EventRecord {
  id: string
  at: Date
  stream: string
  type: string
  correlation_id: string
  actor: EventActor
  subject_id: string | null
  connector_id: string | null
  data: LogEntry['data']
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  user_name: string | null
}

/** Streams of the directory log; messages and what administrators do have logs of their own. */
const DIRECTORY_STREAMS = ['directory', 'user', 'job'] as const

export interface LogQuery {
  readonly tenantId: string
  readonly correlationId: string | undefined
  /** The entry that the page before ended with. */
  readonly before: string | undefined
  readonly limit: number
}

/** The newest events of the directory log, one more than a page where there are more. */
export const directoryEvents = (db: Db, query: LogQuery): Promise<EventRecord[]> => {
  // each stream is read backwards along its index and no further than needed; one correlation id has an index of its own
  const parts = query.correlationId
    ? [newest(query, sql`correlation_id = ${query.correlationId} and stream = any(${DIRECTORY_STREAMS})`)]
    : DIRECTORY_STREAMS.map((stream) => newest(query, sql`stream = ${stream}`))
  const { limit } = query
  return named(db, query, sql`(select * from (${sql.join(parts, sql` union all `)}) parts order by id desc limit ${limit})`)
}

/** With the name that the person an event is about bears now. */
const named = async (db: Db, { tenantId }: LogQuery, events: RawBuilder<unknown>): Promise<EventRecord[]> => {
  const { rows } = await sql<EventRecord>`
    select e.*, u.display_name as user_name from ${events} e
    left join users u on u.tenant_id = ${tenantId} and u.id = e.subject_id
    order by e.id desc`.execute(db)
  return rows
}

const ofCorrelation = ({ correlationId }: LogQuery): RawBuilder<unknown> =>
  correlationId ? sql`correlation_id = ${correlationId}` : sql`true`

/** The newest events that happened to administrators or that they caused, one more than a page where there are more. */
export const adminEvents = (db: Db, query: LogQuery): Promise<EventRecord[]> =>
  named(db, query, newest(query, sql`(stream = 'admin' or actor ->> 'kind' = 'admin') and ${ofCorrelation(query)}`))

export interface MessageQuery extends LogQuery {
  readonly sites: Actor['sites']
  readonly connectorId: string | undefined
  readonly userId: string | undefined
  readonly requestId: string | undefined
}

/** Whether the caller sees the connector and the person that a log is narrowed to. */
const seesAsked = async (db: Db, { tenantId, sites, connectorId, userId }: MessageQuery): Promise<boolean> => {
  const kept = sites === 'all' ? sql`true` : sql`name_folded <> 'gdpr'`
  const connector = connectorId
    ? sql`exists (select from connectors where tenant_id = ${tenantId} and id = ${connectorId} and ${kept})`
    : sql`true`
  const person = userId
    ? sql`exists (select from users u where u.tenant_id = ${tenantId} and u.id = ${userId} and ${withinSites('u.site_id', sites)})`
    : sql`true`
  const { rows } = await sql<{ sees: boolean }>`select ${connector} and ${person} as sees`.execute(db)
  return rows[0]?.sees === true
}

/**
 * The newest events of messages to people whom the caller sees, one more than a page where there are more; undefined where the caller does not see the
 * connector or the person asked for.
 */
export const messageEvents = async (db: Db, query: MessageQuery): Promise<EventRecord[] | undefined> => {
  if (!(await seesAsked(db, query))) return undefined
  const { tenantId, sites, connectorId, userId, requestId } = query
  const seen =
    sites === 'all'
      ? sql`true`
      : sql`exists (
          select from users u where u.tenant_id = ${tenantId} and u.id = subject_id and ${withinSites('u.site_id', sites)}
        )`
  const narrowed = sql`stream = 'message' and ${ofCorrelation(query)} and ${seen}
    and ${connectorId ? sql`connector_id = ${connectorId}` : sql`true`} and ${userId ? sql`subject_id = ${userId}` : sql`true`}
    and ${requestId ? sql`(correlation_id = ${requestId} or data ->> 'requestId' = ${requestId})` : sql`true`}`
  return named(db, query, newest(query, narrowed))
}

/** Who causes which events of a person's timeline. What happens by the clock, dates that act and overrides that lapse, lets the source's values count. */
const KINDS: Readonly<Record<TimelineKind, RawBuilder<unknown>>> = {
  source: sql`stream = 'user' and (actor ->> 'kind' = 'run' or actor ->> 'kind' = 'system' and type like 'user.%')`,
  admin: sql`stream = 'user' and actor ->> 'kind' = 'admin' and type like 'user.%'`,
  message: sql`stream = 'message'`,
  target: sql`type like 'target.%'`,
  claim: sql`type like 'claim.%'`,
}

export interface TimelineQuery extends LogQuery {
  readonly connectorId: string | undefined
  readonly sites: Actor['sites']
  readonly userId: string
  readonly kind: TimelineKind | undefined
}

/** The newest events of one person, one more than a page where there are more; undefined where the caller sees no such person. */
export const timelineEvents = async (db: Db, query: TimelineQuery): Promise<EventRecord[] | undefined> => {
  const { tenantId, connectorId, sites, userId, kind, limit } = query
  const { rows: people } = await sql<{ user_name: string }>`
    select u.display_name as user_name from users u
    where u.tenant_id = ${tenantId} and u.id = ${userId} and u.connector_id = ${connectorId} and ${withinSites('u.site_id', sites)}`.execute(
    db,
  )
  const [person] = people
  if (!person) return undefined
  const narrowed = sql`subject_id = ${userId} and ${ofCorrelation(query)}
    and ${kind ? KINDS[kind] : sql`true`}`
  const { rows } = await sql<EventRecord>`
    select e.*, ${person.user_name}::text as user_name from ${newest({ ...query, limit }, narrowed)} e order by e.id desc`.execute(db)
  return rows
}

const newest = ({ tenantId, before, limit }: LogQuery, which: RawBuilder<unknown>) => sql`(
  select id, at, stream, type, correlation_id, actor, subject_id, connector_id, data, before, after
  from events
  where tenant_id = ${tenantId} and ${which} ${before === undefined ? sql`` : sql`and id < ${before}::uuid`}
  order by id desc
  limit ${limit}
)`
