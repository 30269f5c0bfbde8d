/** What administrators are told by mail, and the outbox that keeps it (decisions.md section 4). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

/** What a message is about: a run that a guard holds, end dates that wait, a scheduled source that brings nothing. */
export const MESSAGE_TEMPLATES = ['heldRun', 'heldDates', 'silentSource'] as const
export type MessageTemplate = (typeof MESSAGE_TEMPLATES)[number]

/** Pending: to be sent, or tried again. Kept: there is no way of sending it, and it is read here. */
export const MESSAGE_STATUSES = ['Pending', 'Success', 'Error', 'Kept'] as const

export const OutboxMessage = z.object({
  id: Id,
  template: z.enum(MESSAGE_TEMPLATES),
  channel: z.enum(['email']),
  status: z.enum(MESSAGE_STATUSES),
  recipientName: z.string(),
  address: z.string(),
  /** In the language of the message. */
  subject: z.string(),
  attempts: z.number().int(),
  nextTryAt: Instant.nullable(),
  /** What the mail server said last. */
  lastError: z.string().nullable(),
  correlationId: z.string(),
  createdAt: Instant,
  sentAt: Instant.nullable(),
})
export type OutboxMessage = z.infer<typeof OutboxMessage>

const who = { roles: TENANT_ADMINS } as const

export const listMessages = endpoint({
  id: 'messages.list',
  method: 'GET',
  path: '/directory/{tenantId}/messages',
  summary: 'Messages to administrators of the tenant, newest first.',
  who,
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object({ ...pageQuery, status: z.enum(MESSAGE_STATUSES).optional() }),
  response: page(OutboxMessage),
  problems: ['TOKEN_FOREIGN'],
})

export const getMessage = endpoint({
  id: 'messages.get',
  method: 'GET',
  path: '/directory/{tenantId}/messages/{messageId}',
  summary: 'One message as its recipient reads it.',
  who,
  within: 'tenant',
  params: z.object({ tenantId: Id, messageId: Id }),
  response: OutboxMessage.extend({
    text: z.string(),
    /** Where the message leads, within the console. */
    link: z.string(),
  }),
})
