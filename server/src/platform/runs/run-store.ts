import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { RunPatch, RunRow } from './run.ts'

/** The columns of a run under the names of `RunRow`; the table must stand in the query as `r`. */
export const runColumns = sql`r.tenant_id as "tenantId", r.id, r.kind, r.connector_id as "connectorId", r.correlation_id as "correlationId", r.state,
  r.input, r.stages, r.counts, r.applied_through as "appliedThrough", r.applied, r.stale, r.held, r.findings, r.failure, r.created_by as "createdBy",
  r.decided_by as "decidedBy", r.decided_at as "decidedAt", r.decision_reason as "decisionReason", r.cancel_requested as "cancelRequested", r.cancelled_by as "cancelledBy",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt", r.version`

export type NewRun = Pick<
  RunRow,
  'tenantId' | 'id' | 'kind' | 'connectorId' | 'correlationId' | 'input' | 'stages' | 'createdBy' | 'createdAt'
>

/**
 * Adds a queued run and answers it; undefined when the connector has a run that is not over (the database refuses a second, nobody reads first).
 */
export const insertRun = async (tx: Tx, run: NewRun): Promise<RunRow | undefined> => {
  const { rows } = await sql<RunRow>`
    insert into runs as r (tenant_id, id, kind, connector_id, correlation_id, input, stages, created_by, created_at)
    values (${run.tenantId}, ${run.id}, ${run.kind}, ${run.connectorId}, ${run.correlationId}, ${JSON.stringify(run.input)},
      ${JSON.stringify(run.stages)}, ${JSON.stringify(run.createdBy)}, ${run.createdAt})
    on conflict (tenant_id, connector_id) where state in ('queued', 'running', 'planned', 'held') do nothing
    returning ${runColumns}`.execute(tx)
  return rows[0]
}

/** One run of the tenant. */
export const findRun = async (db: Db | Tx, key: { tenantId: string; runId: string }): Promise<RunRow | undefined> => {
  const { rows } = await sql<RunRow>`select ${runColumns} from runs r where r.tenant_id = ${key.tenantId} and r.id = ${key.runId}`.execute(
    db,
  )
  return rows[0]
}

/** One run of the tenant, locked until the transaction ends, so that a decision sees the state that it decides on. */
export const lockRun = async (tx: Tx, key: { tenantId: string; runId: string }): Promise<RunRow | undefined> => {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from runs r where r.tenant_id = ${key.tenantId} and r.id = ${key.runId} for update`.execute(tx)
  return rows[0]
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))

const SETTERS: { readonly [K in keyof RunPatch]-?: (value: RunPatch[K]) => RawBuilder<unknown> } = {
  input: (value) => sql`input = ${json(value)}`,
  state: (value) => sql`state = ${value}`,
  stages: (value) => sql`stages = ${json(value)}`,
  counts: (value) => sql`counts = ${json(value)}`,
  appliedThrough: (value) => sql`applied_through = ${value}`,
  applied: (value) => sql`applied = ${value}`,
  stale: (value) => sql`stale = ${value}`,
  held: (value) => sql`held = ${json(value)}`,
  findings: (value) => sql`findings = ${json(value)}`,
  sourceProfile: (value) => sql`source_profile = ${json(value)}`,
  failure: (value) => sql`failure = ${json(value)}`,
  decidedBy: (value) => sql`decided_by = ${json(value)}`,
  decidedAt: (value) => sql`decided_at = ${value}`,
  decisionReason: (value) => sql`decision_reason = ${value}`,
  cancelRequested: (value) => sql`cancel_requested = ${value}`,
  cancelledBy: (value) => sql`cancelled_by = ${json(value)}`,
  startedAt: (value) => sql`started_at = ${value}`,
  finishedAt: (value) => sql`finished_at = ${value}`,
}

/** The `set` list of a patch. A state in which no worker is at work gives the lease back; every change makes the version grow. */
export const assignments = (patch: RunPatch): RawBuilder<unknown> => {
  const set = (Object.keys(patch) as (keyof RunPatch)[]).map((name) =>
    (SETTERS[name] as (value: unknown) => RawBuilder<unknown>)(patch[name]),
  )
  if (patch.state && patch.state !== 'running') set.push(sql`lease_owner = null`, sql`leased_until = null`)
  return sql.join([...set, sql`version = version + 1`])
}

/** Changes a run whatever its lease says: for decisions, which hold the row's lock. */
export const patchRun = async (tx: Db | Tx, key: { tenantId: string; runId: string }, patch: RunPatch): Promise<RunRow> => {
  const { rows } = await sql<RunRow>`
    update runs as r set ${assignments(patch)} where r.tenant_id = ${key.tenantId} and r.id = ${key.runId} returning ${runColumns}`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error(`run ${key.runId} is gone`)
  return row
}
