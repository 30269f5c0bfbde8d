import type { MessageTemplate } from '@instep/contract/outbox.ts'
import { PERMISSIONS } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import { type EventActor, type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { MessageParams } from './message.rules.ts'

/** Who writes messages. */
export const SENDER: EventActor = { kind: 'system', id: null, name: 'Instep' }

/** What administrators are told, once for each occasion. */
export interface Notice<Template extends MessageTemplate> {
  readonly tenantId: string
  readonly template: Template
  readonly params: MessageParams[Template]
  /** What happened once, such as one run being held; the same occasion is told nobody twice. */
  readonly occasion: string
  readonly correlationId: string
  readonly at: Date
}

interface Recipient {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly locale: string
}

/**
 * Administrators of the tenant as a whole who may decide on what comes in; where none may, all of them. Where the tenant has none, those who stand above
 * the tenants: somebody has to be told.
 */
const recipientsOf = async (tx: Tx, tenantId: string): Promise<Recipient[]> => {
  const { rows } = await sql<Recipient & { own: boolean; decides: boolean }>`
    select a.id, a.name, a.email, t.default_locale as locale, a.tenant_id is not null as own,
      a.permissions & ${PERMISSIONS.importUsers}::integer <> 0 as decides
    from admins a join tenants t on t.id = ${tenantId}
    where (a.tenant_id = t.id or a.tenant_id is null) and a.disabled_at is null and a.roles && '{admin.super,admin.tenant}'::text[]
    order by a.id`.execute(tx)
  const own = rows.filter((row) => row.own)
  const asked = own.length > 0 ? own : rows
  const deciding = asked.filter(({ decides }) => decides)
  return deciding.length > 0 ? deciding : asked
}

/**
 * Puts a message to each administrator into the outbox, in the transaction of what it tells of: either both are there or neither is. Sending is for
 * whoever claims it. Answers how many were written.
 */
export const tellAdmins = async <Template extends MessageTemplate>(tx: Tx, notice: Notice<Template>): Promise<number> => {
  const { tenantId, template, params, occasion, correlationId, at } = notice
  const events: NewEvent[] = []
  for (const { id: adminId, name, email, locale } of await recipientsOf(tx, tenantId)) {
    const id = uuidv7(at.getTime())
    const { rows } = await sql`
      insert into messages (tenant_id, id, template, channel, admin_id, recipient_name, address, locale, params, correlation_id,
        idempotency_key, next_try_at, created_at)
      values (${tenantId}, ${id}, ${template}, 'email', ${adminId}, ${name}, ${email}, ${locale}, ${JSON.stringify(params)}, ${correlationId},
        ${`${template} ${occasion} ${adminId}`}, ${at}, ${at})
      on conflict (tenant_id, idempotency_key) do nothing returning 1`.execute(tx)
    if (rows.length === 0) continue
    const event = { tenantId, at, stream: 'message', type: 'message.queued', correlationId, actor: SENDER, subjectId: id } as const
    events.push({ ...event, data: { name, template } })
  }
  await recordEvents(tx, events)
  return events.length
}
