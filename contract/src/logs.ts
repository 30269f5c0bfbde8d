/** What happened: the four logs (1-console.md section 7, Logs); they take and answer the same, so that one view shows them all. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { PEOPLE_ADMINS, TENANT_ADMINS } from './roles.ts'

/** One correlation id shows what belongs together. */
/** Longest correlation id that logs are searched by. */
export const LONGEST_CORRELATION_ID = 100
const logQuery = { ...pageQuery, correlationId: upTo(LONGEST_CORRELATION_ID, z.string().trim()).optional() }

/** An entry. `message` is the sentence in en_GB; `data` lets the console say it in the chosen language. */
export const LogEntry = z.object({
  id: Id,
  correlationId: z.string(),
  eventType: z.string(),
  level: z.enum(['error', 'warning', 'success', 'information']),
  eventTime: Instant,
  modifiedBy: z.string(),
  message: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  userId: Id.nullable(),
  userName: z.string().nullable(),
  /** The source whose run did it to the person, so that it can be explained; null where no run did. */
  connectorId: Id.nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})
export type LogEntry = z.infer<typeof LogEntry>

export const listDirectoryLog = endpoint({
  id: 'logs.directory',
  method: 'GET',
  path: '/directory/{tenantId}/logs',
  summary: 'The directory log of a tenant, newest first; one correlation id shows what belongs together.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object(logQuery),
  response: page(LogEntry),
  problems: ['TOKEN_FOREIGN'],
})

export const listAdminLog = endpoint({
  id: 'logs.admins',
  method: 'GET',
  path: '/tenants/{tenantId}/users/logs',
  summary: 'What happened to administrators and what they did, newest first.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object(logQuery),
  response: page(LogEntry),
  problems: ['TOKEN_FOREIGN'],
})

export const listMessageLog = endpoint({
  id: 'logs.messages',
  method: 'GET',
  path: '/messaging/{tenantId}/logs',
  summary: 'What became of messages, newest first, to the people whom the caller sees; `requestId` shows those of one request.',
  who: { roles: PEOPLE_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  /** `requestId`: the correlation id of the request, or the id of the batch, that the messages were sent by. */
  query: z.object({ ...logQuery, connectorId: Id.optional(), userId: Id.optional(), requestId: z.string().trim().max(100).optional() }),
  response: page(LogEntry),
  problems: ['TOKEN_FOREIGN'],
})

/** What a person's timeline can be narrowed to. */
export const TIMELINE_KINDS = ['source', 'admin', 'message', 'target', 'claim'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

export const listUserLog = endpoint({
  id: 'logs.user',
  method: 'GET',
  path: '/connectors/{connectorId}/users/{userId}/logs',
  summary: 'Everything that happened to one person, newest first: source changes, edits, messages, answers of targets, claims.',
  who: { roles: PEOPLE_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id, userId: Id }),
  query: z.object({ ...logQuery, kind: z.enum(TIMELINE_KINDS).optional() }),
  response: page(LogEntry),
  problems: ['TOKEN_FOREIGN'],
})
