import type { ProblemCode } from '@instep/contract/problem.ts'
import { permits } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../../platform/audit/record-event.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/actor.ts'
import { Problem, problem } from '../../../platform/http/problem.ts'
import { askAgain, confirmAccount, endTask, findAssignee, type LockedTask, lockTask, noteTask, setAside } from './tasks.store.ts'

/** Who decides, when, and within which tenant; what they do not see is not there. */
export interface Deciding {
  readonly tenantId: string
  readonly actor: Pick<Actor, 'id' | 'name' | 'sites'>
  readonly at: Date
  readonly correlationId: string
}

const lock = async (tx: Tx, taskId: string, { tenantId, actor }: Deciding): Promise<LockedTask> => {
  const task = await lockTask(tx, { tenantId, sites: actor.sites }, taskId)
  if (!task) throw problem('NOT_FOUND')
  if (!permits('editUsers', task.permissions)) throw problem('PERMISSION_MISSING')
  return task
}

const lockOpen = async (tx: Tx, { taskId, revision }: { taskId: string; revision?: number }, by: Deciding): Promise<LockedTask> => {
  const task = await lock(tx, taskId, by)
  if (task.state !== 'open') throw problem('TASK_STATE_WRONG')
  if (revision !== undefined && task.revision !== revision) throw problem('TASK_CHANGED')
  return task
}

const byOf = ({ actor }: Deciding) => ({ kind: 'admin' as const, id: actor.id, name: actor.name })

interface Told {
  readonly type: string
  readonly detail?: string
  readonly before?: Record<string, unknown>
  readonly after?: Record<string, unknown>
}

const record = (tx: Tx, task: LockedTask, { told: { type, detail, ...values }, by }: { told: Told; by: Deciding }) =>
  recordEvents(tx, [
    {
      tenantId: by.tenantId,
      at: by.at,
      stream: 'user',
      type,
      correlationId: by.correlationId,
      actor: byOf(by),
      subjectId: task.userId,
      connectorId: task.targetId,
      data: { user: task.user, target: task.target, kind: task.kind, ...(detail === undefined ? {} : { detail }) },
      ...values,
    },
  ])

/** What the account is called there: as it was typed in, as it was called before, or by the person's own id. */
const remoteIdOf = (task: LockedTask, accountName: string | undefined): string | null =>
  task.kind === 'delete' ? null : (accountName ?? task.confirmedRemoteId ?? task.userId)

/**
 * A person has done what the task says. Throws `NOT_FOUND`, `PERMISSION_MISSING` by the target's own mask, `TASK_STATE_WRONG`, `TASK_CHANGED` when
 * the task says something else by now, `TASK_ACCOUNT_TAKEN`.
 *
 * @returns the target
 */
export const completeTask = async (
  tx: Tx,
  done: { taskId: string; revision: number; accountName?: string | undefined },
  by: Deciding,
): Promise<string> => {
  const task = await lockOpen(tx, done, by)
  const { at, correlationId } = by
  await endTask(tx, task, { state: 'done', by: byOf(by), at, accountName: done.accountName })
  const remoteId = remoteIdOf(task, done.accountName)
  await confirmAccount(tx, task, { document: task.document, remoteId, at, correlationId })
  const told = { type: 'target.task.done', before: task.confirmed ?? {}, after: task.document ?? {} }
  await record(tx, task, { told, by })
  return task.targetId
}

/**
 * Ticks several tasks off, each with the revision that was seen; what cannot be is told and left.
 *
 * @returns the targets of those that were
 */
export const completeTasks = async (tx: Tx, tasks: readonly { taskId: string; revision: number }[], by: Deciding) => {
  const targets: string[] = []
  const refused: { taskId: string; code: ProblemCode }[] = []
  // in one order, so that two who tick the same ones off cannot wait for each other
  for (const task of tasks.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1))) {
    // a name that another account has is found by the database when half of the task is written
    await sql`savepoint one`.execute(tx)
    try {
      targets.push(await completeTask(tx, task, by))
      await sql`release savepoint one`.execute(tx)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await sql`rollback to savepoint one`.execute(tx)
      refused.push({ taskId: task.taskId, code: error.code })
    }
  }
  return { targets, refused }
}

/** It cannot be done. Throws as `completeTask` does. */
export const failTask = async (tx: Tx, failed: { taskId: string; revision: number; reason: string }, by: Deciding): Promise<void> => {
  const task = await lockOpen(tx, failed, by)
  await endTask(tx, task, { state: 'failed', by: byOf(by), at: by.at, reason: failed.reason })
  await setAside(tx, task, failed.reason)
  await record(tx, task, { told: { type: 'target.task.failed', detail: failed.reason }, by })
}

/**
 * Takes back that a task was done, or could not be: the account is what was confirmed before, and what is wanted is asked for anew. Throws
 * `TASK_STATE_WRONG`, and `TASK_OVERTAKEN` where a later task of the account was done.
 *
 * @returns the target
 */
export const undoTask = async (tx: Tx, taskId: string, by: Deciding): Promise<string> => {
  const task = await lock(tx, taskId, by)
  if (task.state !== 'done' && task.state !== 'failed') throw problem('TASK_STATE_WRONG')
  if (task.overtaken) throw problem('TASK_OVERTAKEN')
  const { at, correlationId } = by
  await endTask(tx, task, { state: 'undone', by: byOf(by), at })
  if (task.state === 'failed') await askAgain(tx, task, correlationId)
  else await confirmAccount(tx, task, { document: task.confirmed, remoteId: task.confirmedRemoteId, at, correlationId })
  await record(tx, task, { told: { type: 'target.task.undone' }, by })
  return task.targetId
}

/** Gives a task to somebody and notes a comment; what changes nothing leaves no trace. Throws `NOT_FOUND` for an administrator who is none here. */
export const updateTask = async (
  tx: Tx,
  note: { taskId: string; assignedTo?: string | null | undefined; comment?: string | null | undefined },
  by: Deciding,
): Promise<void> => {
  const task = await lockOpen(tx, note, by)
  const before = { assignedTo: task.assignedTo, comment: task.comment }
  const after = {
    assignedTo: note.assignedTo === undefined ? before.assignedTo : note.assignedTo,
    comment: note.comment === undefined ? before.comment : note.comment,
  }
  if (before.assignedTo === after.assignedTo && before.comment === after.comment) return
  const assignedName = await nameOf(tx, after.assignedTo, { task, by })
  await noteTask(tx, task, { ...after, assignedName })
  await record(tx, task, { told: { type: 'target.task.updated', before, after: { ...after, assignedTo: assignedName } }, by })
}

const nameOf = async (tx: Tx, adminId: string | null, { task, by }: { task: LockedTask; by: Deciding }): Promise<string | null> => {
  if (adminId === null) return null
  const name = await findAssignee(tx, by.tenantId, { adminId, callerId: by.actor.id })
  // whoever had it before may have gone since; that is no reason to refuse a comment
  if (name === undefined && adminId !== task.assignedTo) throw problem('NOT_FOUND')
  return name ?? null
}
