import * as contract from '@instep/contract/logs.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { eventLevel, eventText } from './event-text.ts'
import { adminEvents, directoryEvents, type EventRecord, messageEvents, timelineEvents } from './logs.views.ts'

export interface LogsDeps {
  readonly db: Db
  readonly continuation: Continuation
}

const present = (event: EventRecord): contract.LogEntry => {
  const data = event.user_name === null ? event.data : { user: event.user_name, ...event.data }
  return {
    id: event.id,
    correlationId: event.correlation_id,
    eventType: event.type,
    level: eventLevel(event.type),
    eventTime: event.at.toISOString(),
    modifiedBy: event.actor.name,
    message: eventText(event.type, data, 'en_GB'),
    data,
    userId: event.stream === 'user' || event.user_name !== null ? event.subject_id : null,
    userName: event.user_name,
    connectorId: event.stream === 'user' && event.actor.kind === 'run' ? event.connector_id : null,
    before: event.before,
    after: event.after,
  }
}

/** The directory log, what administrators did, what became of messages, and the timeline of one person. */
export const logsRoutes = ({ db, continuation }: LogsDeps): Route[] => [
  route(contract.listDirectoryLog, async ({ tenantId, query: { continuationToken, pageSize, correlationId } }) => {
    const scope = { list: 'logs.directory', tenantId, correlationId }
    const [before] = continuationToken ? (continuation.decode(scope, continuationToken) as [string]) : []
    const events = await directoryEvents(db, { tenantId, correlationId, before, limit: pageSize + 1 })
    return cut(events, pageSize, (id) => continuation.encode(scope, [id]))
  }),

  route(contract.listAdminLog, async ({ tenantId, query: { continuationToken, pageSize, correlationId } }) => {
    const scope = { list: 'logs.admins', tenantId, correlationId }
    const [before] = continuationToken ? (continuation.decode(scope, continuationToken) as [string]) : []
    const events = await adminEvents(db, { tenantId, correlationId, before, limit: pageSize + 1 })
    return cut(events, pageSize, (id) => continuation.encode(scope, [id]))
  }),

  route(contract.listMessageLog, async ({ tenantId, actor: { sites }, query: { continuationToken, pageSize, ...narrowed } }) => {
    const scope = { list: 'logs.messages', tenantId, ...narrowed }
    const [before] = continuationToken ? (continuation.decode(scope, continuationToken) as [string]) : []
    const { correlationId, connectorId, userId, requestId } = narrowed
    const asked = { tenantId, sites, correlationId, connectorId, userId, requestId, before, limit: pageSize + 1 }
    const events = await messageEvents(db, asked)
    if (!events) throw problem('NOT_FOUND')
    return cut(events, pageSize, (id) => continuation.encode(scope, [id]))
  }),

  route(contract.listUserLog, async ({ tenantId, connectorId, actor, params: { userId }, query }) => {
    const { continuationToken, pageSize, correlationId, kind } = query
    const scope = { list: 'logs.user', tenantId, userId, correlationId, kind }
    const [before] = continuationToken ? (continuation.decode(scope, continuationToken) as [string]) : []
    const narrowed = { tenantId, connectorId, sites: actor.sites, userId, kind, correlationId, before, limit: pageSize + 1 }
    const events = await timelineEvents(db, narrowed)
    if (!events) throw problem('NOT_FOUND')
    return cut(events, pageSize, (id) => continuation.encode(scope, [id]))
  }),
]

/** One page of what was read with one entry more than it holds. */
const cut = (events: readonly EventRecord[], pageSize: number, token: (id: string) => string) => {
  const shown = events.slice(0, pageSize)
  const last = events.length > pageSize ? shown.at(-1) : undefined
  return { data: shown.map(present), continuationToken: last ? token(last.id) : null }
}
