import type { SyncedRecord } from '@instep/contract/source-record.ts'
import type { SyncedUser, TargetSync } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { SYNC_USERS_RUN } from './sync-users-run.ts'

export interface ResultsQuery {
  readonly tenantId: string
  readonly runId: string
  readonly after: number
  readonly limit: number
}

interface Named extends Pick<SyncedUser, 'userId' | 'connectorId' | 'displayName' | 'employeeId'> {
  readonly sequence: number
}

type Row = Named & { readonly source: SyncedRecord | null; readonly targets: readonly TargetSync[] | null }

const inShort = ({ source, targets, ...named }: Row): SyncedUser & { sequence: number } => ({
  ...named,
  source: source && { from: source.from, cause: source.cause, decision: source.told?.decision.kind ?? null, brought: source.brought },
  accounts:
    targets?.map(({ targetId, targetName, result, deed, changes, cause, detail }) => {
      const attributes = changes.map(({ attribute }) => attribute)
      return { targetId, targetName, result, deed, attributes, cause, detail }
    }) ?? null,
})

/** A page of what came of each person of a run; undefined when the tenant has no such run. */
export const syncedUsers = async (db: Db, query: ResultsQuery): Promise<(SyncedUser & { sequence: number })[] | undefined> => {
  const { tenantId, runId, after, limit } = query
  const run = await sql`select from runs where tenant_id = ${tenantId} and id = ${runId} and kind = ${SYNC_USERS_RUN}`.execute(db)
  if (run.rows.length === 0) return undefined
  const { rows } = await sql<Row>`
    select
      s.sequence, s.user_id as "userId", u.connector_id as "connectorId", u.display_name as "displayName",
      coalesce(u.employee_number, u.external_id) as "employeeId", s.source, s.targets
    from synced_people s
    join provisioning_users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id
    where s.tenant_id = ${tenantId} and s.run_id = ${runId} and s.sequence > ${after}
    order by s.sequence
    limit ${limit}`.execute(db)
  return rows.map(inShort)
}

export interface Steps {
  readonly preview: boolean
  readonly source: SyncedRecord | null
  readonly targets: TargetSync[] | null
}

/** Each step of such a run for one person; undefined where it took none, or nothing of it is kept. */
export const syncedUserSteps = async (
  db: Db,
  { tenantId, runId, userId }: { tenantId: string; runId: string; userId: string },
): Promise<Steps | undefined> => {
  const { rows } = await sql<Steps>`
    select (r.input ->> 'preview')::boolean as preview, s.source, s.targets
    from synced_people s join runs r on r.tenant_id = s.tenant_id and r.id = s.run_id
    where s.tenant_id = ${tenantId} and s.run_id = ${runId} and s.user_id = ${userId}`.execute(db)
  return rows[0]
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
