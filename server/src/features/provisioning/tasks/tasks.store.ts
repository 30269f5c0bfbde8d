import { hashDocument } from '@instep/connectors/kit/hash-document.ts'
import type { AccountDocument } from '@instep/connectors/kit/target.ts'
import type { TargetTask } from '@instep/contract/target-tasks.ts'
import { sql } from 'kysely'
import type { EventActor } from '../../../platform/audit/record-event.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/narrow-sites.ts'
import { refusingDuplicate } from '../../../platform/db/refusing-duplicate.ts'
import { withinSites } from '../../../platform/db/within-sites.ts'

/** A task, and what deciding about it takes. */
export interface LockedTask extends Pick<TargetTask, 'id' | 'targetId' | 'userId' | 'kind' | 'state' | 'revision' | 'comment'> {
  readonly tenantId: string
  readonly document: AccountDocument | null
  readonly confirmed: AccountDocument | null
  readonly confirmedRemoteId: string | null
  readonly assignedTo: string | null
  readonly user: string
  readonly target: string
  /** Permission bits of the target. */
  readonly permissions: number
  /** A later task of the same account was done. */
  readonly overtaken: boolean
}

/** A task that the caller sees, locked until the transaction ends. */
export const lockTask = async (tx: Tx, { tenantId, sites }: Scope, taskId: string): Promise<LockedTask | undefined> => {
  const { rows } = await sql<LockedTask>`
    select
      t.tenant_id as "tenantId", t.id, t.target_id as "targetId", t.user_id as "userId", t.kind, t.state, t.revision, t.comment, t.document,
      t.confirmed, t.confirmed_remote_id as "confirmedRemoteId", t.assigned_to as "assignedTo", p.display_name as "user", g.name as target,
      g.permissions,
      exists (
        select from target_tasks l
        where l.tenant_id = t.tenant_id and l.user_id = t.user_id and l.target_id = t.target_id and l.state = 'done' and l.closed_at > t.closed_at
      ) as overtaken
    from target_tasks t
    join task_people p on p.tenant_id = t.tenant_id and p.user_id = t.user_id
    join task_targets g on g.tenant_id = t.tenant_id and g.target_id = t.target_id
    where t.tenant_id = ${tenantId} and t.id = ${taskId} and ${withinSites('p.site_id', sites)}
    for update of t`.execute(tx)
  return rows[0]
}

/** How a task ends. */
export interface Ending {
  readonly state: 'done' | 'failed' | 'undone'
  readonly by: EventActor
  readonly at: Date
  readonly accountName?: string | undefined
  readonly reason?: string | undefined
}

/** Ends a task; what an earlier ending said about account name and reason stays. */
export const endTask = async (tx: Tx, { tenantId, id }: LockedTask, { state, by, at, accountName, reason }: Ending): Promise<void> => {
  await sql`
    update target_tasks set
      state = ${state}, closed_at = ${at}, closed_by = ${JSON.stringify(by)}::jsonb,
      account_name = coalesce(${accountName ?? null}, account_name), reason = coalesce(${reason ?? null}, reason)
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** What an account is known to be from now on; null: there is none. */
export interface Confirmation {
  readonly document: AccountDocument | null
  readonly remoteId: string | null
  readonly at: Date
  readonly correlationId: string
}

/**
 * Writes down what a person confirmed of an account, and has the engine look at it anew: it alone knows what is wanted by now. Throws
 * `TASK_ACCOUNT_TAKEN`.
 */
export const confirmAccount = async (
  tx: Tx,
  { tenantId, targetId, userId }: LockedTask,
  { document, remoteId, at, correlationId }: Confirmation,
): Promise<void> => {
  await refusingDuplicate({ target_accounts_remote: 'TASK_ACCOUNT_TAKEN' }, () =>
    sql`
      update target_accounts set
        applied_document = ${document && JSON.stringify(document)}::jsonb,
        applied_hash = decode(${document && hashDocument(document)}, 'hex'), applied_at = ${at},
        remote_id = ${remoteId}, etag = null, uncertain = false,
        state = 'pending', revision = revision + 1, attempts = 0, next_try_at = '-infinity', cause = null, last_error = null,
        correlation_id = ${correlationId}
      where tenant_id = ${tenantId} and user_id = ${userId} and target_id = ${targetId}`.execute(tx),
  )
}

/** Has the engine look at the account of a task anew, whatever became of it. */
export const askAgain = async (tx: Tx, { tenantId, targetId, userId }: LockedTask, correlationId: string): Promise<void> => {
  await sql`
    update target_accounts set
      state = 'pending', revision = revision + 1, attempts = 0, next_try_at = '-infinity', cause = null, last_error = null,
      correlation_id = ${correlationId}
    where tenant_id = ${tenantId} and user_id = ${userId} and target_id = ${targetId}`.execute(tx)
}

/** Sets an account aside, because a person says that it cannot be done. */
export const setAside = async (tx: Tx, { tenantId, targetId, userId }: LockedTask, reason: string): Promise<void> => {
  await sql`
    update target_accounts set
      state = 'quarantined', revision = revision + 1, next_try_at = '-infinity', cause = 'TARGET_DECLINED', last_error = ${reason}
    where tenant_id = ${tenantId} and user_id = ${userId} and target_id = ${targetId}`.execute(tx)
}

/** The administrator's name where tasks of the tenant can be given to them: one of the tenant, or the caller. */
export const findAssignee = async (tx: Tx, tenantId: string, { adminId, callerId }: { adminId: string; callerId: string }) => {
  const { rows } = await sql<{ name: string }>`
    select name from task_assignees
    where admin_id = ${adminId} and (tenant_id = ${tenantId} or admin_id = ${callerId})
      and roles && array['admin.super', 'admin.tenant', 'admin.sitegroup', 'admin.site']`.execute(tx)
  return rows[0]?.name
}

/** Gives an open task to somebody, or to nobody, and notes a comment. */
export const noteTask = async (
  tx: Tx,
  { tenantId, id }: LockedTask,
  note: { assignedTo: string | null; assignedName: string | null; comment: string | null },
): Promise<void> => {
  await sql`
    update target_tasks
    set assigned_to = ${note.assignedTo}, comment = ${note.comment},
      assigned_name = case when ${note.assignedTo}::uuid is not distinct from assigned_to then assigned_name else ${note.assignedName} end
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}
