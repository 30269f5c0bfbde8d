import { type FailureCause, LISTED_CAUSES, MOVED_ON } from '@instep/contract/run-failures.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type InPlace, narrowPlace } from './plan-place.ts'

/** Why rows failed: a code of a reason (or that the person moved on) and the field concerned, where it concerns one. */
export interface Cause {
  readonly code: string
  readonly field?: string | undefined
}

// what spares somebody is added to why they would have left; the latter is no failure
const REASONS = sql`case when p.reasons -> -1 ->> 'code' like 'protected%' then jsonb_build_array(p.reasons -> -1) else p.reasons end`

const FAILED = sql`p.kind in ('invalid', 'conflict')`

/** The rows of a plan `p` that failed for a cause. */
export const failedFor = ({ code, field }: Cause): RawBuilder<unknown> =>
  code === MOVED_ON
    ? sql`p.stale`
    : sql`${FAILED} and exists (
        select from jsonb_array_elements(${REASONS}) r
        where r ->> 'code' = ${code} and ${field === undefined ? sql`r ->> 'field' is null` : sql`r ->> 'field' = ${field}`}
      )`

type CauseRow = Pick<FailureCause, 'kind' | 'code' | 'field' | 'rows'> & FailureCause['example'] & { readonly causes: number }

/** The causes of a run's failures, at one place or everywhere, most frequent first. */
export const runFailures = async (
  db: Db,
  { tenantId, runId, ...place }: InPlace & { tenantId: string; runId: string },
): Promise<{ data: FailureCause[]; causes: number }> => {
  const { join, where } = narrowPlace(place)
  const { rows } = await sql<CauseRow>`
    with told as (
      select p.kind, r ->> 'code' as code, r ->> 'field' as field, p.seq
      from plan_rows p ${join} cross join lateral jsonb_array_elements(${REASONS}) r
      where p.tenant_id = ${tenantId} and p.run_id = ${runId} and ${FAILED} ${where}
      union all
      select 'stale', ${MOVED_ON}::text, null, p.seq from plan_rows p ${join}
      where p.tenant_id = ${tenantId} and p.run_id = ${runId} and p.stale ${where}
    ), causes as (
      select kind, code, field, count(*)::integer as rows, min(seq) as first, (count(*) over ())::integer as causes
      from told group by kind, code, field
      order by count(*) desc, kind, code, field limit ${LISTED_CAUSES}
    )
    select c.kind, c.code, c.field, c.rows, c.causes, p.seq as sequence, p.row_number as "rowNumber", p.display_name as "displayName",
      p.employee_id as "employeeId", coalesce(
        (select r from jsonb_array_elements(p.reasons) r where r ->> 'code' = c.code and r ->> 'field' is not distinct from c.field limit 1),
        jsonb_build_object('code', c.code)
      ) as reason
    from causes c join plan_rows p on p.tenant_id = ${tenantId} and p.run_id = ${runId} and p.seq = c.first
    order by c.rows desc, c.kind, c.code, c.field`.execute(db)
  return {
    causes: rows[0]?.causes ?? 0,
    data: rows.map(({ kind, code, field, rows: count, sequence, rowNumber, displayName, employeeId, reason }) => ({
      kind,
      code,
      field,
      rows: count,
      example: { sequence, rowNumber, displayName, employeeId, reason },
    })),
  }
}
