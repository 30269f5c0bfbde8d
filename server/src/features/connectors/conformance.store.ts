import type { ConformanceResult, ConformanceRun, FittingProfile, LeftOver, ScimDiscovery } from '@instep/contract/conformance.ts'
import { sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { RunReason, RunState } from '../../platform/runs/run.ts'

export interface CheckKey {
  readonly tenantId: string
  readonly runId: string
}

/** What was found so far. */
export interface CheckRecord {
  readonly userName: string
  readonly made: readonly string[]
  readonly leftOvers: readonly LeftOver[]
}

/** Adds the row of a try: the account's name stands there before the account is made. */
export const insertCheck = async (tx: Tx, check: CheckKey & { targetId: string; userName: string }): Promise<void> => {
  await sql`
    insert into conformance_checks (tenant_id, run_id, target_id, user_name)
    values (${check.tenantId}, ${check.runId}, ${check.targetId}, ${check.userName})`.execute(tx)
}

export const findCheck = async (db: Db, { tenantId, runId }: CheckKey): Promise<CheckRecord | undefined> => {
  const { rows } = await sql<CheckRecord>`
    select user_name as "userName", made, left_overs as "leftOvers" from conformance_checks where tenant_id = ${tenantId} and run_id = ${runId}`.execute(
    db,
  )
  return rows[0]
}

/** Notes an account that was made at the target. */
export const noteMade = async (db: Db, { tenantId, runId }: CheckKey, remoteId: string): Promise<void> => {
  await sql`
    update conformance_checks set made = array_append(made, ${remoteId})
    where tenant_id = ${tenantId} and run_id = ${runId}`.execute(db)
}

interface CheckPatch {
  readonly results?: readonly ConformanceResult[]
  readonly discovery?: ScimDiscovery
  readonly fitting?: FittingProfile
  readonly leftOvers?: readonly LeftOver[]
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Writes down what was found; what is left out stays. */
export const patchCheck = async (db: Db | Tx, { tenantId, runId }: CheckKey, patch: CheckPatch): Promise<void> => {
  await sql`
    update conformance_checks set
      results = coalesce(${json(patch.results)}::jsonb, results), discovery = coalesce(${json(patch.discovery)}::jsonb, discovery),
      fitting = coalesce(${json(patch.fitting)}::jsonb, fitting), left_overs = coalesce(${json(patch.leftOvers)}::jsonb, left_overs)
    where tenant_id = ${tenantId} and run_id = ${runId}`.execute(db)
}

interface ShownCheck {
  readonly id: string
  readonly state: RunState
  readonly userName: string
  readonly results: ConformanceResult[]
  readonly discovery: ScimDiscovery | null
  readonly fitting: FittingProfile | null
  readonly leftOvers: LeftOver[]
  readonly createdBy: EventActor
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly failure: RunReason | null
}

/** The last try of a target; undefined where it never was tried. */
export const lastCheck = async (
  db: Db | Tx,
  { tenantId, targetId }: { tenantId: string; targetId: string },
): Promise<ConformanceRun | undefined> => {
  const { rows } = await sql<ShownCheck>`
    select r.id, r.state, k.user_name as "userName", k.results, k.discovery, k.fitting, k.left_overs as "leftOvers", r.created_by as "createdBy",
      r.created_at as "createdAt", r.finished_at as "finishedAt", r.failure
    from conformance_checks k join runs r on r.tenant_id = k.tenant_id and r.id = k.run_id
    where k.tenant_id = ${tenantId} and k.target_id = ${targetId}
    order by k.run_id desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { createdBy, createdAt, finishedAt, failure, ...shown } = row
  return {
    ...shown,
    startedBy: createdBy.name,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    failure: failure && String(failure.params['detail'] ?? failure.code),
  }
}
