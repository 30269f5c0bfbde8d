import type { DriftFinding, DriftKind, DriftRun } from '@instep/contract/drift.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { runColumns } from '../../platform/runs/run-store.ts'
import type { TargetKey } from './account.store.ts'
import { type DriftKey, isMissing } from './drift.store.ts'
import { DRIFT_RUN } from './drift-run.ts'

/** A read-back as the contract shows it. */
export const presentDrift = (run: RunRow): DriftRun => ({
  id: run.id,
  state: run.state,
  began: run.input['began'] === 'schedule' ? 'schedule' : 'hand',
  createdBy: run.createdBy.name,
  createdAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
  listed: run.counts['listed'] ?? 0,
  total: run.counts['total'] ?? null,
  known: run.counts['known'] ?? 0,
  changed: run.counts['changed'] ?? 0,
  missing: run.counts['missing'] ?? 0,
  unknown: run.counts['unknown'] ?? 0,
  putBack: run.counts['putBack'] ?? 0,
  held: run.held as DriftRun['held'],
  failure: run.failure && { code: run.failure.code, detail: String(run.failure.params['detail'] ?? '') || null },
})

const NEWEST = 5

/** The newest read-backs of a target, newest first. */
export const driftRuns = async (db: Db, { tenantId, targetId }: TargetKey): Promise<DriftRun[]> => {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from runs r
    where r.tenant_id = ${tenantId} and r.connector_id = ${targetId} and r.kind = ${DRIFT_RUN}
    order by r.id desc limit ${NEWEST}`.execute(db)
  return rows.map(presentDrift)
}

/** One read-back of a target. */
export const findDrift = async (db: Db, { tenantId, targetId, runId }: DriftKey): Promise<RunRow | undefined> => {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from runs r
    where r.tenant_id = ${tenantId} and r.id = ${runId} and r.connector_id = ${targetId} and r.kind = ${DRIFT_RUN}`.execute(db)
  return rows[0]
}

export interface FindingsQuery extends DriftKey {
  readonly kind: DriftKind | undefined
  readonly open: boolean
  readonly after: number
  readonly limit: number
}

/** A page of what a run found, in its order; `after` is the sequence that the page before ended with. */
export const driftFindings = async (db: Db, query: FindingsQuery): Promise<DriftFinding[]> => {
  const { tenantId, runId, kind, open, after, limit } = query
  const { rows } = await sql<Omit<DriftFinding, 'decidedAt'> & { decidedAt: Date | null }>`
    select
      f.sequence, f.kind, f.state, f.remote_id as "remoteId",
      left(coalesce(f.found ->> 'displayName', f.found ->> 'userName', f.found ->> 'externalId'), 300) as name,
      case when u.user_id is not null then jsonb_build_object('id', u.user_id, 'connectorId', u.connector_id, 'displayName', u.display_name,
        'employeeId', coalesce(u.employee_number, u.external_id)) end as person,
      f.changes, f.decided_by ->> 'name' as "decidedBy", f.decided_at as "decidedAt"
    from drift_findings f
    left join provisioning_users u on u.tenant_id = f.tenant_id and u.user_id = f.user_id
    where f.tenant_id = ${tenantId} and f.run_id = ${runId} and f.sequence > ${after}
      and (${kind ?? null}::text is null or f.kind = ${kind ?? null}) and (${open} = false or f.state = 'open')
    order by f.sequence
    limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, decidedAt: row.decidedAt?.toISOString() ?? null }))
}

/** People who have no account at the target, or one that the run found missing, and whose key an unknown account has; at most five. */
export const linkCandidates = async (db: Db, { tenantId, targetId, runId }: DriftKey, sequence: number) => {
  const { rows } = await sql<{ id: string; connectorId: string; displayName: string; employeeId: string; foundBy: string }>`
    with account as (
      select
        lower(found ->> 'userName') as user_name, found ->> 'externalId' as external_id,
        array(select lower(e ->> 'value') from jsonb_array_elements(
          case when jsonb_typeof(found -> 'emails') = 'array' then found -> 'emails' else '[]' end) e) as emails
      from drift_findings
      where tenant_id = ${tenantId} and run_id = ${runId} and sequence = ${sequence} and kind = 'unknown' and state = 'open'
    ), named as (
      -- each key by its own index: asked for together, all people of the tenant are read
      select u.user_id from account join provisioning_users u on u.tenant_id = ${tenantId} and u.external_id = account.external_id
      union
      select u.user_id from account join provisioning_users u on u.tenant_id = ${tenantId} and u.user_name is not null
        and match_id(u.user_name) = match_id(account.user_name) and lower(u.user_name) = account.user_name
      union
      select u.user_id from account join provisioning_users u on u.tenant_id = ${tenantId} and u.work_email is not null
        and lower(u.work_email) = any(account.user_name || account.emails)
    ), alike as (
      select u.*, case
        when u.external_id = account.external_id then 'ExternalId'
        when lower(u.user_name) = account.user_name then 'UserName'
        else 'Email' end as found_by
      from account cross join named join provisioning_users u on u.tenant_id = ${tenantId} and u.user_id = named.user_id
    )
    select p.user_id as id, p.connector_id as "connectorId", p.display_name as "displayName",
      coalesce(p.employee_number, p.external_id) as "employeeId", p.found_by as "foundBy"
    from alike p
    where not exists (
      select from target_accounts a
      where a.tenant_id = ${tenantId} and a.user_id = p.user_id and a.target_id = ${targetId} and a.remote_id is not null
        and not ${isMissing({ tenantId, targetId, runId })}
    )
    order by p.display_name, p.user_id limit 5`.execute(db)
  return rows
}
