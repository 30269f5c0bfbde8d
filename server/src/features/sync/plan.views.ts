import { LISTED_PLACES, type PlanBreakdown } from '@instep/contract/plan-breakdown.ts'
import type { PlanKind } from '@instep/contract/plan-kinds.ts'
import type { PlanRow } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { departmentOfRow, type InPlace, joinPlace, narrowPlace, siteOfRow } from './plan-place.ts'
import { type Cause, failedFor } from './run-failures.views.ts'

/** Rows of a plan, all or some. */
export interface PlanPart extends InPlace {
  readonly tenantId: string
  readonly runId: string
  readonly kind?: PlanKind | undefined
  /** What kept the rows from being carried out. */
  readonly cause?: Cause | undefined
  /** Part of a name, an employee id or an external id. */
  readonly searchText?: string | undefined
}

export interface PlanQuery extends PlanPart {
  /** The last sequence of the page before; 0 to begin. */
  readonly after: number
  readonly limit: number
}

const pattern = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** Rows of a plan in its order: those who left, then the order of the file. Unchanged records have none. */
export const listPlanRows = async (db: Db, query: PlanQuery): Promise<PlanRow[]> => {
  const place = narrowPlace(query)
  const { rows } = await sql<PlanRow>`
    select p.seq as sequence, p.kind,
      case when p.stale then 'stale' when p.seq <= r.applied_through and p.kind not in ('conflict', 'invalid') then 'applied' else 'pending' end as state,
      p.row_number as "rowNumber", p.user_id as "userId", p.case_id as "caseId", p.source_key as "sourceKey", p.display_name as "displayName",
      p.employee_id as "employeeId", p.before, p.after, p.reasons
    from plan_rows p join runs r on r.tenant_id = p.tenant_id and r.id = p.run_id ${place.join}
    where p.tenant_id = ${query.tenantId} and p.run_id = ${query.runId} and p.seq > ${query.after}
      ${query.kind ? sql`and p.kind = ${query.kind}` : sql``} ${place.where} ${query.cause ? sql`and ${failedFor(query.cause)}` : sql``}
      ${
        query.searchText
          ? sql`and (lower(p.display_name) like ${pattern(query.searchText)} or lower(p.employee_id) like ${pattern(query.searchText)}
              or lower(p.source_key) like ${pattern(query.searchText)})`
          : sql``
      }
    order by p.seq limit ${query.limit}`.execute(db)
  return rows
}

interface PlaceCount {
  readonly sort: 'site' | 'department'
  readonly id: string | null
  readonly name: string | null
  readonly rows: number
  readonly counts: PlanBreakdown['sites'][number]['counts']
  readonly places: number
}

/** How many rows of a plan each site and each department has, by kind, most first. */
export const breakDownPlan = async (
  db: Db,
  { tenantId, runId, kind, cause }: Omit<PlanPart, keyof InPlace | 'searchText'>,
): Promise<PlanBreakdown> => {
  const { rows } = await sql<PlaceCount>`
    with rows as materialized (
      select p.kind, ${siteOfRow} as site, ${departmentOfRow} as department, count(*) as rows
      from plan_rows p ${joinPlace}
      where p.tenant_id = ${tenantId} and p.run_id = ${runId} ${kind ? sql`and p.kind = ${kind}` : sql``} ${cause ? sql`and ${failedFor(cause)}` : sql``}
      group by 1, 2, 3
    ), places as (
      select 'site' as sort, site::text as id, kind, sum(rows)::integer as rows from rows group by site, kind
      union all
      select 'department', department, kind, sum(rows)::integer from rows group by department, kind
    ), ranked as (
      select sort, id, sum(rows)::integer as rows, jsonb_object_agg(kind, rows) as counts,
        row_number() over (partition by sort order by sum(rows) desc, id) as place, (count(*) over (partition by sort))::integer as places
      from places group by sort, id
    )
    select k.sort, k.id, s.name, k.rows, k.counts, k.places from ranked k
    left join sites s on k.sort = 'site' and s.tenant_id = ${tenantId} and s.id::text = k.id
    where k.place <= ${LISTED_PLACES} order by k.sort, k.place`.execute(db)
  const of = (sort: PlaceCount['sort']) => rows.filter((row) => row.sort === sort)
  return {
    sites: of('site').map(({ id, name, rows: count, counts }) => ({ siteId: id, name, rows: count, counts })),
    departments: of('department').map(({ id, rows: count, counts }) => ({ department: id, rows: count, counts })),
    totals: { sites: of('site')[0]?.places ?? 0, departments: of('department')[0]?.places ?? 0 },
  }
}
