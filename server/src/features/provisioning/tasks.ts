import type { AccountDocument, Target } from '@instep/connectors/kit/target.ts'
import type { TargetPolicy } from '@instep/contract/target-policy.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Accepted, stillHas } from './accepted.rules.ts'
import { forgetAccepted, readAccepted } from './accepted.store.ts'
import { type DueTarget, type LeasedAccount, type Person, readPeople } from './account.store.ts'
import type { Held } from './lease-keeper.ts'
import { type Intent, intentOf, isAllowed, type Removal } from './leaver.rules.ts'
import { type ManagerAccount, readLeavers, readManagers } from './leavers.store.ts'
import { mayRemove } from './removal-guard.ts'

/** A leased row, the person behind it, and what is to be done. */
export interface Task extends Held<LeasedAccount> {
  readonly person: Person
  readonly policy: TargetPolicy
  readonly intent: Intent
  /** Why the removal that is to be done is not: a person has to decide, or has said no. Null: nothing is in its way. */
  readonly refusal: 'REMOVALS_HELD' | 'REMOVALS_REJECTED' | null
  readonly manager: ManagerAccount | null
  /** What of the account may be otherwise, and what might be until one of both sides changed it. */
  readonly accepted: readonly Accepted[]
  readonly over: readonly Accepted[]
}

interface Preparation {
  readonly db: Db
  readonly due: DueTarget
  readonly target: Target
  readonly policy: TargetPolicy
  readonly now: Date
}

/** What a person's account is to hold, before anything that was accepted of it. */
export const ownDocument = (target: Target, { person, manager }: Pick<Task, 'person' | 'manager'>): AccountDocument =>
  target.documentOf({ ...person, managerRemoteId: manager?.remoteId ?? null })

/** Whether something that was accepted counts still, as far as our side is concerned. */
const counts = (target: Target, task: Pick<Task, 'row' | 'person' | 'manager'>, accepted: Accepted): boolean => {
  const { row, person } = task
  if (accepted.path.length === 0) return row.remoteId === null && person.active
  if (row.remoteId === null) return false
  try {
    return stillHas(ownDocument(target, task), accepted, 'ours')
  } catch {
    // what cannot be made into an account fails when it is attempted, with its reason
    return true
  }
}

const REMOVALS: readonly Removal[] = ['disable', 'delete']

/** What is to be done about rows, with the people as they are now; the guard has not been asked. Reads only. */
export const describeTasks = async (preparation: Preparation, rows: readonly LeasedAccount[]): Promise<Task[]> => {
  if (rows.length === 0) return []
  const { db, due, target, policy, now } = preparation
  const ids = rows.map((row) => row.userId)
  const people = await readPeople(db, due.tenantId, ids)
  const left = ids.filter((id) => people.get(id)?.active === false)
  const leavers = await readLeavers(db, due.tenantId, left)
  const accepted = await readAccepted(db, due, ids)
  const managers = target.namesManagers ? await readManagers(db, due, ids) : new Map<string, ManagerAccount>()
  return rows.flatMap((row): Task[] => {
    const person = people.get(row.userId)
    if (!person) return []
    const leaver = leavers.get(row.userId)
    // somebody who came back between the two looks is marked again
    const intent = intentOf(row, (!person.active && leaver) || null, { policy, now })
    const manager = managers.get(row.userId) ?? null
    const refusal = intent.to === 'remove' && row.removal === 'rejected' ? 'REMOVALS_REJECTED' : null
    const { true: current = [], false: over = [] } = Object.groupBy(accepted.get(row.userId) ?? [], (one) =>
      counts(target, { row, person, manager }, one) ? 'true' : 'false',
    )
    return [{ row, person, policy, intent, refusal, manager, accepted: current, over, abort: new AbortController() }]
  })
}

/** Makes tasks of leased rows, and asks the guard about all removals of a kind at once. */
export const prepareTasks = async (preparation: Preparation, rows: readonly LeasedAccount[]): Promise<Task[]> => {
  const { db, due, policy, now } = preparation
  const tasks = await describeTasks(preparation, rows)
  await forgetAccepted(
    db,
    due,
    tasks.flatMap(({ over }) => over),
  )
  const refused = new Set<string>()
  for (const removal of REMOVALS) {
    const asked = tasks.filter(
      ({ row, intent, refusal }) => !refusal && intent.to === 'remove' && intent.removal === removal && !isAllowed(row.removal, removal),
    )
    const request = { rows: asked.map(({ row }) => row), removal, limit: policy.removals, now }
    if (asked.length === 0 || (await mayRemove(db, due, request))) continue
    for (const { row } of asked) refused.add(row.userId)
  }
  return tasks.map((task) => (refused.has(task.row.userId) ? { ...task, refusal: 'REMOVALS_HELD' } : task))
}
