import { documentChanges } from '@instep/connectors/kit/person-document.ts'
import type { AccountDocument } from '@instep/connectors/kit/target.ts'
import type { Count } from '@instep/contract/page.ts'
import type { TargetTask, TaskFilter } from '@instep/contract/target-tasks.ts'
import { type RawBuilder, sql } from 'kysely'
import { countRows } from '../../../platform/db/count-rows.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/narrow-sites.ts'
import { withinSites } from '../../../platform/db/within-sites.ts'

/** Which tasks: about people of sites that the caller sees, narrowed by what was asked; ages count from `at`. */
export interface TaskScope extends Scope, Pick<TaskFilter, 'targetId' | 'kind' | 'olderThanDays'> {
  readonly state: TaskFilter['state']
  /** Whose they are; null: nobody's; undefined: anybody's. */
  readonly assignedTo: string | null | undefined
  readonly at: Date
}

const FROM = sql`
  target_tasks t
  join task_people p on p.tenant_id = t.tenant_id and p.user_id = t.user_id
  join task_targets g on g.tenant_id = t.tenant_id and g.target_id = t.target_id
  left join sites s on s.tenant_id = t.tenant_id and s.id = p.site_id`

const COLUMNS = sql`
  t.id, t.target_id as "targetId", g.name as "targetName", t.user_id as "userId", p.connector_id as "connectorId",
  p.display_name as "displayName", p.employee_id as "employeeId", s.name as "siteName", t.kind, t.state, t.revision, t.document, t.confirmed,
  coalesce(t.account_name, case when t.confirmed_remote_id <> t.user_id::text then t.confirmed_remote_id end) as "accountName",
  t.assigned_to as "assignedId", t.assigned_name as "assignedName", t.comment, t.reason, t.opened_at as "openedAt", t.changed_at as "changedAt",
  t.closed_at as "closedAt", t.closed_by ->> 'name' as "closedBy", g.instructions`

interface TaskRow extends Omit<TargetTask, 'changes' | 'assignedTo' | 'openedAt' | 'changedAt' | 'closedAt'> {
  readonly document: AccountDocument | null
  readonly confirmed: AccountDocument | null
  readonly assignedId: string | null
  readonly assignedName: string | null
  readonly openedAt: Date
  readonly changedAt: Date
  readonly closedAt: Date | null
}

/** What the kind of the task says already, and what nobody can type in. */
const UNSAID: readonly string[] = ['id', 'active']

const present = ({ document, confirmed, assignedId, assignedName, openedAt, changedAt, closedAt, ...row }: TaskRow): TargetTask => ({
  ...row,
  changes: document ? documentChanges(confirmed ?? {}, document).filter(({ field }) => !UNSAID.includes(field)) : [],
  assignedTo: assignedId === null ? null : { id: assignedId, name: assignedName ?? '' },
  openedAt: openedAt.toISOString(),
  changedAt: changedAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
})

const conditions = ({
  tenantId,
  sites,
  state,
  targetId,
  kind,
  assignedTo,
  olderThanDays,
  at,
}: TaskScope): RawBuilder<boolean> => sql<boolean>`
  t.tenant_id = ${tenantId} and t.state = ${state} and ${withinSites('p.site_id', sites)}
  and ${targetId ? sql`t.target_id = ${targetId}` : sql`true`}
  and ${kind ? sql`t.kind = ${kind}` : sql`true`}
  and ${assignedTo === undefined ? sql`true` : sql`t.assigned_to is not distinct from ${assignedTo}::uuid`}
  and ${olderThanDays ? sql`t.opened_at < ${at}::timestamptz - make_interval(days => ${olderThanDays})` : sql`true`}`

/** A page of tasks by the time they were opened: open ones from the longest open on, others from the newest on; `after` ended the page before. */
export const readTasks = async (
  db: Db,
  scope: TaskScope,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<TargetTask[]> => {
  const oldest = scope.state === 'open'
  const behind = oldest ? sql`t.id > ${after}::uuid` : sql`t.id < ${after}::uuid`
  const { rows } = await sql<TaskRow>`
    select ${COLUMNS} from ${FROM}
    where ${conditions(scope)} and ${after ? behind : sql`true`}
    order by t.id ${oldest ? sql`asc` : sql`desc`}
    limit ${limit}`.execute(db)
  return rows.map(present)
}

/** How many there are. */
export const countTasks = (db: Db, scope: TaskScope): Promise<Count> => countRows(db, sql`select 1 from ${FROM} where ${conditions(scope)}`)

/** One task; undefined where there is none that the caller sees. */
export const readTask = async (db: Db, { tenantId, sites }: Scope, taskId: string): Promise<TargetTask | undefined> => {
  const { rows } = await sql<TaskRow>`
    select ${COLUMNS} from ${FROM}
    where t.tenant_id = ${tenantId} and t.id = ${taskId} and ${withinSites('p.site_id', sites)}`.execute(db)
  return rows[0] && present(rows[0])
}

/** Administrators of the tenant who look after people, by name. */
export const readAssignees = async (db: Db, tenantId: string): Promise<{ id: string; name: string }[]> => {
  const { rows } = await sql<{ id: string; name: string }>`
    select admin_id as id, name from task_assignees
    where tenant_id = ${tenantId} and roles && array['admin.super', 'admin.tenant', 'admin.sitegroup', 'admin.site']
    order by name, admin_id`.execute(db)
  return rows
}
