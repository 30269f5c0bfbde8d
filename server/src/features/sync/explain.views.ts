import type { PlanRow } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { runColumns } from '../../platform/runs/run-store.ts'
import { listPlanRows } from './plan.views.ts'
import { SYNC_RUN } from './sync-input.ts'

interface InTenant {
  readonly tenantId: string
}

/** A sync run with the names of its columns; null where it was read before they were kept. */
export type ExplainedRun = RunRow & { readonly connectorId: string; readonly connectorName: string; readonly header: string[] | null }

const selectRun = sql`
  select ${runColumns}, c.name as "connectorName", r.source_profile -> 'header' as header
  from runs r join connectors c on c.tenant_id = r.tenant_id and c.id = r.connector_id`

/** Undefined where the tenant has no such sync run. */
export const findExplainedRun = async (db: Db, { tenantId, runId }: InTenant & { runId: string }): Promise<ExplainedRun | undefined> => {
  const { rows } = await sql<ExplainedRun>`
    ${selectRun} where r.tenant_id = ${tenantId} and r.id = ${runId} and r.kind = ${SYNC_RUN}`.execute(db)
  return rows[0]
}

/**
 * The newest run of a connector that has looked at its source and made a plan; undos and trials have not, nor has one that found nothing new. One over
 * single records counts for whose they are.
 */
export const newestPlannedRun = async (
  db: Db,
  { tenantId, connectorId, key }: InTenant & { connectorId: string; key: string | null },
): Promise<ExplainedRun | undefined> => {
  const { rows } = await sql<ExplainedRun>`
    ${selectRun} where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId} and r.kind = ${SYNC_RUN} and r.counts <> '{}'
      and r.input -> 'undoes' is null and r.input -> 'trial' is null and r.input #> '{fetch,nothingNew}' is null
      and (r.input -> 'only' is null or r.input -> 'only' @> to_jsonb(${key}::text))
    order by r.id desc limit 1`.execute(db)
  return rows[0]
}

/** A record as a run staged it. */
export interface KeptRecord {
  readonly rowNumber: number
  readonly key: string | null
  readonly recordHash: string
  readonly cells: string[]
  readonly sameKey: number
}

/** The record of a row, else the first of a key; undefined where the run has none, or none any longer. */
export const findRecord = async (
  db: Db,
  { runId, rowNumber, key }: { runId: string; rowNumber?: number | undefined; key?: string | undefined },
): Promise<KeptRecord | undefined> => {
  const which = rowNumber === undefined ? sql`s.source_key = ${key ?? null}` : sql`s.row_number = ${rowNumber}`
  const { rows } = await sql<KeptRecord>`
    select s.row_number as "rowNumber", s.source_key as key, s.record_hash::text as "recordHash", s.raw as cells,
      (select count(*)::integer from staged_records o where o.run_id = s.run_id and o.source_key = s.source_key) as "sameKey"
    from staged_records s where s.run_id = ${runId} and ${which} order by s.row_number limit 1`.execute(db)
  return rows[0]
}

/** Whether anything of what a run staged is still there. */
export const keepsRecords = async (db: Db, runId: string): Promise<boolean> =>
  (await sql`select from staged_records where run_id = ${runId} limit 1`.execute(db)).rows.length > 0

/** Whether an answer in the case queue leaves the records of a key out. */
export const isIgnored = async (
  db: Db,
  { tenantId, connectorId, key }: InTenant & { connectorId: string; key: string | null },
): Promise<boolean> => {
  const { rows } = await sql`
    select from match_cases where tenant_id = ${tenantId} and connector_id = ${connectorId} and source_key = ${key} and state = 'answered'
      and decision = 'ignore'`.execute(db)
  return rows.length > 0
}

/** Whose record a key is, or what a person's key is. */
export const findLink = async (
  db: Db,
  { tenantId, connectorId, key, userId }: InTenant & { connectorId: string; key?: string | null; userId?: string | undefined },
): Promise<{ key: string; userId: string } | undefined> => {
  const { rows } = await sql<{ key: string; userId: string }>`
    select source_key as key, user_id as "userId" from source_links
    where tenant_id = ${tenantId} and connector_id = ${connectorId}
      and ${userId ? sql`user_id = ${userId}` : sql`source_key = ${key ?? null}`}`.execute(db)
  return rows[0]
}

/** A person with what the source said last, what lists see, and what was set on top. */
export interface ExplainedPerson {
  readonly id: string
  readonly connectorId: string
  readonly displayName: string
  readonly employeeId: string
  readonly active: boolean
  readonly base: Readonly<Record<string, unknown>>
  /** By column. */
  readonly row: Readonly<Record<string, unknown>>
  readonly overrides: readonly { field: string; value: unknown; by: string; at: string; reason: string | null; until: string | null }[]
}

export const findExplainedPerson = async (
  db: Db | Tx,
  { tenantId, userId }: InTenant & { userId: string },
): Promise<ExplainedPerson | undefined> => {
  const { rows } = await sql<ExplainedPerson>`
    select u.id, u.connector_id as "connectorId", u.display_name as "displayName", coalesce(u.employee_number, u.external_id) as "employeeId", u.active,
      u.base, to_jsonb(u) as row, coalesce((
        select jsonb_agg(jsonb_build_object('field', o.field, 'value', o.value, 'by', o.by ->> 'name', 'at', o.at, 'reason', o.reason,
          'until', ((o.until at time zone coalesce(s.time_zone, t.time_zone)) - interval '1 day')::date))
        from user_overrides o where o.tenant_id = u.tenant_id and o.user_id = u.id
      ), '[]') as overrides
    from users u join tenants t on t.id = u.tenant_id left join sites s on s.tenant_id = u.tenant_id and s.id = u.site_id
    where u.tenant_id = ${tenantId} and u.id = ${userId}`.execute(db)
  return rows[0]
}

/** The row of a plan about a person, a key or a row of the file; of several the first, which is how a plan decides. */
export const findPlanRow = async (
  db: Db,
  { tenantId, runId, ...about }: InTenant & { runId: string; userId?: string | undefined; key?: string | null; rowNumber?: number | null },
): Promise<PlanRow | undefined> => {
  const { userId, key, rowNumber } = about
  const { rows } = await sql<{ sequence: number }>`
    select seq as sequence from plan_rows
    where tenant_id = ${tenantId} and run_id = ${runId} and (
      row_number = ${rowNumber ?? null} or (${rowNumber ?? null}::integer is null and (user_id = ${userId ?? null} or source_key = ${key ?? null}))
    ) order by seq limit 1`.execute(db)
  const [found] = rows
  if (!found) return undefined
  return (await listPlanRows(db, { tenantId, runId, after: found.sequence - 1, limit: 1 }))[0]
}
