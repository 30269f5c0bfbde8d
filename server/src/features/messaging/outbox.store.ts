import type { MessageTemplate, OutboxMessage } from '@instep/contract/outbox.ts'
import { type RawBuilder, sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { MOST_ATTEMPTS, nextTry } from './message.rules.ts'
import { SENDER } from './tell-admins.ts'

/** A message as the database has it, with its tenant's name. */
export interface MessageRow {
  readonly tenantId: string
  readonly id: string
  readonly template: MessageTemplate
  readonly channel: 'email'
  readonly recipientName: string
  readonly address: string
  readonly locale: string
  readonly params: unknown
  readonly correlationId: string
  readonly state: 'pending' | 'sent' | 'failed' | 'kept'
  readonly attempts: number
  readonly nextTryAt: Date | null
  readonly lastError: string | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  readonly tenantName: string
}

const COLUMNS = sql`m.tenant_id as "tenantId", m.id, m.template, m.channel, m.recipient_name as "recipientName", m.address, m.locale, m.params,
  m.correlation_id as "correlationId", m.state, m.attempts, m.next_try_at as "nextTryAt", m.last_error as "lastError",
  m.created_at as "createdAt", m.sent_at as "sentAt", t.name as "tenantName"`

const select = (which: RawBuilder<unknown>) =>
  sql<MessageRow>`select ${COLUMNS} from messages m join tenants t on t.id = m.tenant_id where ${which}`

/** Wire value → state. */
export const STATES = { Pending: 'pending', Success: 'sent', Error: 'failed', Kept: 'kept' } as const satisfies Record<
  OutboxMessage['status'],
  MessageRow['state']
>

/** A tenant's messages, newest first, behind the id `before`. */
export const listMessages = async (
  db: Db,
  given: { tenantId: string; status: OutboxMessage['status'] | undefined; before: string | undefined; limit: number },
): Promise<MessageRow[]> => {
  const { tenantId, status, before, limit } = given
  const { rows } = await select(sql`m.tenant_id = ${tenantId} and ${status ? sql`m.state = ${STATES[status]}` : sql`true`}
    and ${before ? sql`m.id < ${before}::uuid` : sql`true`} order by m.id desc limit ${limit}`).execute(db)
  return rows
}

/** One message; undefined where the tenant has no such one. */
export const findMessage = async (db: Db, { tenantId, id }: { tenantId: string; id: string }): Promise<MessageRow | undefined> =>
  (await select(sql`m.tenant_id = ${tenantId} and m.id = ${id}`).execute(db)).rows[0]

/** Claims the message that has been due longest: nobody else tries it before its next time. Undefined where none is due. */
export const claimMessage = (db: Db, now: Date): Promise<MessageRow | undefined> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<MessageRow>`
      ${select(sql`m.state = 'pending' and m.next_try_at <= ${now}`)} order by m.next_try_at, m.id limit 1 for update of m skip locked`.execute(
      tx,
    )
    const [due] = rows
    if (!due) return undefined
    const attempts = due.attempts + 1
    await sql`
      update messages set attempts = ${attempts}, next_try_at = ${nextTry(attempts, now)}
      where tenant_id = ${due.tenantId} and id = ${due.id}`.execute(tx)
    return { ...due, attempts }
  })

type Ended = 'sent' | 'failed' | 'kept'

const end = async (tx: Tx, message: MessageRow, { state, at, error }: { state: Ended; at: Date; error: string | null }): Promise<void> => {
  const { tenantId, id, attempts, correlationId, recipientName: name, template } = message
  const { rows } = await sql`
    update messages set state = ${state}, next_try_at = null, last_error = ${error}, sent_at = ${state === 'sent' ? at : null}
    where tenant_id = ${tenantId} and id = ${id} and state = 'pending' and attempts = ${attempts} returning 1`.execute(tx)
  if (rows.length === 0) return
  const event = { tenantId, at, stream: 'message', type: `message.${state}`, correlationId, actor: SENDER, subjectId: id } as const
  await recordEvents(tx, [{ ...event, data: { name, template, ...(error !== null && { error }) } }])
}

/** Notes what became of a claimed message: gone, never to go, or kept because there is no way. Nothing where another attempt has begun since. */
export const endMessage = (db: Db, message: MessageRow, how: { state: Ended; at: Date; error: string | null }): Promise<void> =>
  db.transaction().execute((tx) => end(tx, message, how))

/** Notes why an attempt failed; after the last one the message has failed. */
export const failAttempt = async (db: Db, message: MessageRow, how: { at: Date; error: string; final: boolean }): Promise<void> => {
  const { at, error, final } = how
  if (final || message.attempts >= MOST_ATTEMPTS) return endMessage(db, message, { state: 'failed', at, error })
  await sql`
    update messages set last_error = ${error}
    where tenant_id = ${message.tenantId} and id = ${message.id} and state = 'pending' and attempts = ${message.attempts}`.execute(db)
}
