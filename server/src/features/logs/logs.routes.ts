import * as contract from '@instep/contract/logs.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { eventLevel, eventText } from './event-text.ts'
import { directoryEvents, type EventRecord } from './logs.views.ts'

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
    before: event.before,
    after: event.after,
  }
}

/** The directory log. */
export const logsRoutes = ({ db, continuation }: LogsDeps): Route[] => [
  route(contract.listDirectoryLog, async ({ tenantId, query: { continuationToken, pageSize, correlationId } }) => {
    const scope = { list: 'logs.directory', tenantId, correlationId }
    const [before] = continuationToken ? (continuation.decode(scope, continuationToken) as [string]) : []
    const events = await directoryEvents(db, { tenantId, correlationId, before, limit: pageSize + 1 })
    const shown = events.slice(0, pageSize)
    const last = events.length > pageSize ? shown.at(-1) : undefined
    return { data: shown.map(present), continuationToken: last ? continuation.encode(scope, [last.id]) : null }
  }),
]
