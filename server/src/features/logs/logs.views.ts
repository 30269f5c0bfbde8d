import type { LogEntry } from '@instep/contract/logs.ts'
import { type RawBuilder, sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Db } from '../../platform/db/database.ts'

/** An event as the database gives it, with the name that the person it is about bears now. */
export interface EventRecord {
  id: string
  at: Date
  stream: string
  type: string
  correlation_id: string
  actor: EventActor
  subject_id: string | null
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
export const directoryEvents = async (db: Db, query: LogQuery): Promise<EventRecord[]> => {
  // each stream is read backwards along its index and no further than needed; one correlation id has an index of its own
  const parts = query.correlationId
    ? [newest(query, sql`correlation_id = ${query.correlationId} and stream = any(${DIRECTORY_STREAMS})`)]
    : DIRECTORY_STREAMS.map((stream) => newest(query, sql`stream = ${stream}`))
  const { rows } = await sql<EventRecord>`
    select e.*, u.display_name as user_name
    from (
      select * from (${sql.join(parts, sql` union all `)}) parts order by id desc limit ${query.limit}
    ) e
    left join users u on u.tenant_id = ${query.tenantId} and u.id = e.subject_id
    order by e.id desc`.execute(db)
  return rows
}

const newest = ({ tenantId, before, limit }: LogQuery, which: RawBuilder<unknown>) => sql`(
  select id, at, stream, type, correlation_id, actor, subject_id, data, before, after
  from events
  where tenant_id = ${tenantId} and ${which} ${before === undefined ? sql`` : sql`and id < ${before}::uuid`}
  order by id desc
  limit ${limit}
)`
