import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../../platform/audit/record-event.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { DueTarget } from '../account.store.ts'
import type { Failure, Standing } from '../failure.rules.ts'
import type { GroupDeed } from './bring-group.ts'
import type { LeasedGroup } from './group.store.ts'

const EVENT_OF: Readonly<Record<GroupDeed, string | null>> = {
  none: null,
  created: 'target.group.created',
  linked: 'target.group.linked',
  updated: 'target.group.updated',
  deleted: 'target.group.deleted',
}

export interface GroupRecording {
  readonly due: DueTarget
  readonly group: LeasedGroup
  readonly now: Date
  /** Of rows that were marked without one. */
  readonly correlationId: string
}

const ACTOR = { kind: 'system', id: null, name: 'Instep' } as const

/** An event about a group at a target. */
export const groupEvent = (
  { due, group, now, correlationId }: GroupRecording,
  type: string,
  data: Record<string, string | number> = {},
): NewEvent => ({
  tenantId: due.tenantId,
  at: now,
  stream: 'directory',
  type,
  correlationId: group.correlationId ?? correlationId,
  actor: ACTOR,
  subjectId: group.id,
  connectorId: due.targetId,
  data: { group: group.name, target: due.name, ...data },
})

/** Tells what was done to a group. */
export const tellDeed = async (db: Db, recording: GroupRecording, deed: GroupDeed): Promise<void> => {
  const type = EVENT_OF[deed]
  if (type !== null) await db.transaction().execute((tx) => recordEvents(tx, [groupEvent(recording, type)]))
}

/** A group whose turn is over: in step, or with members left for the next turn. What was wanted meanwhile keeps it pending. */
export const recordSettled = async (db: Db, { due, group, now }: GroupRecording): Promise<void> => {
  await sql`
    update target_groups g set
      state = case when g.revision = ${group.revision} then 'inStep' else 'pending' end,
      attempts = 0, next_try_at = '-infinity', cause = null, last_error = null, uncertain = false, applied_at = ${now},
      lease_owner = null, leased_until = null
    where g.tenant_id = ${due.tenantId} and g.target_id = ${due.targetId} and g.id = ${group.id} and g.lease_owner = ${group.lease}`.execute(
    db,
  )
}

/** A group that is to be deleted and whose members may not go: it waits with them. */
export const recordHeld = async (db: Db, { due, group }: GroupRecording): Promise<void> => {
  await sql`
    update target_groups g set
      state = case when g.revision = ${group.revision} then 'held' else 'pending' end, cause = 'REMOVALS_HELD', last_error = null,
      lease_owner = null, leased_until = null
    where g.tenant_id = ${due.tenantId} and g.target_id = ${due.targetId} and g.id = ${group.id} and g.lease_owner = ${group.lease}`.execute(
    db,
  )
}

/** A group that could not be brought in step. Told once for each cause, and when it is given up; a target that is down is not told group by group. */
export const recordFailed = async (
  db: Db,
  recording: GroupRecording,
  { failure, standing, uncertain }: { failure: Failure; standing: Standing; uncertain: boolean },
): Promise<void> => {
  const { due, group } = recording
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      update target_groups g set
        state = case when g.revision = ${group.revision} then ${standing.state} else 'pending' end,
        attempts = case when g.revision = ${group.revision} then ${standing.attempts}::integer else g.attempts end,
        next_try_at = case when g.revision = ${group.revision} then ${standing.nextTryAt}::timestamptz else g.next_try_at end,
        cause = ${failure.code}, last_error = ${failure.detail}, uncertain = g.uncertain or ${uncertain},
        lease_owner = null, leased_until = null
      where g.tenant_id = ${due.tenantId} and g.target_id = ${due.targetId} and g.id = ${group.id}
        and g.lease_owner = ${group.lease}`.execute(tx)
    const newly = standing.state === 'quarantined' || (standing.state === 'failed' && group.cause !== failure.code)
    if (numAffectedRows !== 1n || !newly) return
    const type = standing.state === 'quarantined' ? 'target.group.quarantined' : 'target.group.failed'
    await recordEvents(tx, [groupEvent(recording, type, { cause: failure.code, detail: failure.detail })])
  })
}

/** Groups of a target that has none: they wait for a person, with the reason. Answers how many. */
export const recordUntaken = async (db: Db, due: DueTarget): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    update target_groups g set
      state = 'quarantined', cause = 'TARGET_REFUSED', last_error = 'this target takes no groups', lease_owner = null, leased_until = null
    where g.tenant_id = ${due.tenantId} and g.target_id = ${due.targetId} and g.state <> 'quarantined'`.execute(db)
  return Number(numAffectedRows)
}
