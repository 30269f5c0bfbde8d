import type { SyncedUser } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { SYNC_USERS_RUN } from './sync-users-run.ts'

export interface ResultsQuery {
  readonly tenantId: string
  readonly runId: string
  readonly after: number
  readonly limit: number
}

/** A page of what came of each account of a run; undefined when the tenant has no such run. */
export const syncedUsers = async (db: Db, query: ResultsQuery): Promise<(SyncedUser & { sequence: number })[] | undefined> => {
  const { tenantId, runId, after, limit } = query
  const run = await sql`select from runs where tenant_id = ${tenantId} and id = ${runId} and kind = ${SYNC_USERS_RUN}`.execute(db)
  if (run.rows.length === 0) return undefined
  const { rows } = await sql<SyncedUser & { sequence: number }>`
    select
      r.sequence, r.user_id as "userId", u.connector_id as "connectorId", u.display_name as "displayName",
      coalesce(u.employee_number, u.external_id) as "employeeId", r.target_id as "targetId", t.name as "targetName",
      r.result, r.deed, r.changes, r.cause, r.detail, r.requests
    from user_sync_results r
    join provisioning_users u on u.tenant_id = r.tenant_id and u.user_id = r.user_id
    join provisioning_targets t on t.tenant_id = r.tenant_id and t.target_id = r.target_id
    where r.tenant_id = ${tenantId} and r.run_id = ${runId} and r.sequence > ${after}
    order by r.sequence
    limit ${limit}`.execute(db)
  return rows
}

/** Whether somebody is one of the connector's people. */
export const isPersonOf = async (
  db: Db,
  { tenantId, connectorId, userId }: { tenantId: string; connectorId: string; userId: string },
): Promise<boolean> => {
  const { rows } = await sql`
    select from provisioning_users where tenant_id = ${tenantId} and connector_id = ${connectorId} and user_id = ${userId}`.execute(db)
  return rows.length > 0
}
