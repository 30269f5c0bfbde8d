import type { ProtectedPerson } from '@instep/contract/guard-settings.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { guardedSourceToChange } from './guarded-source.ts'
import { findProtected } from './protected-people.views.ts'

export interface Protecting {
  readonly tenantId: string
  readonly connectorId: string
  readonly userId: string
  readonly reason: string
  readonly by: EventActor
  readonly correlationId: string
}

const record = (tx: Tx, given: Protecting, { type, name, at }: { type: string; name: string; at: Date }): Promise<void> =>
  recordEvents(tx, [
    {
      tenantId: given.tenantId,
      at,
      stream: 'user',
      type,
      correlationId: given.correlationId,
      actor: given.by,
      subjectId: given.userId,
      connectorId: given.connectorId,
      data: { name, reason: given.reason },
    },
  ])

/** Keeps a person of the connector from being found gone while the list changes, and a run that is being applied from passing. */
const assertPerson = async (tx: Tx, { tenantId, connectorId, userId }: Protecting): Promise<void> => {
  const { rows } = await sql`
    select from users where tenant_id = ${tenantId} and connector_id = ${connectorId} and id = ${userId} for key share`.execute(tx)
  if (rows.length === 0) throw problem('NOT_FOUND')
}

/**
 * Puts a person on the list of those whom syncs of their connector never deactivate; the same reason again leaves no trace. Throws `NOT_FOUND`,
 * `CONNECTOR_KIND_WRONG`, `PERMISSION_MISSING`.
 */
export const protectPerson = async ({ db, clock }: { db: Db; clock: Clock }, given: Protecting): Promise<ProtectedPerson> =>
  db.transaction().execute(async (tx) => {
    const { name } = await guardedSourceToChange(tx, given)
    await assertPerson(tx, given)
    const at = clock.now()
    const { numAffectedRows = 0n } = await sql`
      insert into protected_people as p (tenant_id, connector_id, user_id, reason, created_by, created_at)
      values (${given.tenantId}, ${given.connectorId}, ${given.userId}, ${given.reason}, ${JSON.stringify(given.by)}, ${at})
      on conflict (tenant_id, connector_id, user_id) do update set
        reason = excluded.reason, created_by = excluded.created_by, created_at = excluded.created_at
      where p.reason <> excluded.reason`.execute(tx)
    if (numAffectedRows > 0n) await record(tx, given, { type: 'user.protected', name, at })
    const person = await findProtected(tx, given)
    if (!person) throw problem('NOT_FOUND')
    return person
  })

/** Takes a person off the list; throws `NOT_FOUND` for whoever is not on it, `CONNECTOR_KIND_WRONG`, `PERMISSION_MISSING`. */
export const unprotectPerson = async ({ db, clock }: { db: Db; clock: Clock }, given: Protecting): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { name } = await guardedSourceToChange(tx, given)
    const { numAffectedRows = 0n } = await sql`
      delete from protected_people
      where tenant_id = ${given.tenantId} and connector_id = ${given.connectorId} and user_id = ${given.userId}`.execute(tx)
    if (numAffectedRows === 0n) throw problem('NOT_FOUND')
    await record(tx, given, { type: 'user.unprotected', name, at: clock.now() })
  })
