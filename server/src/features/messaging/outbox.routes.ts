import * as contract from '@instep/contract/outbox.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { messageText, messageWords } from './message.rules.ts'
import { findMessage, listMessages, type MessageRow, STATES } from './outbox.store.ts'

const WIRE = Object.fromEntries(Object.entries(STATES).map(([status, state]) => [state, status])) as Readonly<
  Record<MessageRow['state'], contract.OutboxMessage['status']>
>

const present = (row: MessageRow): contract.OutboxMessage => ({
  id: row.id,
  template: row.template,
  channel: row.channel,
  status: WIRE[row.state],
  recipientName: row.recipientName,
  address: row.address,
  subject: messageWords(row).subject,
  attempts: row.attempts,
  nextTryAt: row.nextTryAt?.toISOString() ?? null,
  lastError: row.lastError,
  correlationId: row.correlationId,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
})

/** The outbox of a tenant. */
export const outboxRoutes = (deps: { readonly db: Db; readonly continuation: Continuation; readonly publicUrl: string }): Route[] => [
  route(contract.listMessages, async ({ tenantId, query: { continuationToken, pageSize, status } }) => {
    const scope = ['messages', tenantId, status ?? null]
    const before = continuationToken ? String(deps.continuation.decode(scope, continuationToken)[0]) : undefined
    const found = await listMessages(deps.db, { tenantId, status, before, limit: pageSize + 1 })
    const data = found.slice(0, pageSize)
    return {
      data: data.map(present),
      continuationToken: found.length > pageSize ? deps.continuation.encode(scope, [data.at(-1)?.id]) : null,
    }
  }),
  route(contract.getMessage, async ({ tenantId, params }) => {
    const row = await findMessage(deps.db, { tenantId, id: params.messageId })
    if (!row) throw problem('NOT_FOUND')
    const words = messageWords(row)
    return { ...present(row), text: messageText(words, deps.publicUrl), link: words.link }
  }),
]
