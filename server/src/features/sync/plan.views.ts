import type { PlanKind } from '@instep/contract/plan-kinds.ts'
import type { PlanRow } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export interface PlanQuery {
  readonly tenantId: string
  readonly runId: string
  readonly kind?: PlanKind | undefined
  /** Part of a name, an employee id or an external id. */
  readonly searchText?: string | undefined
  /** The last sequence of the page before; 0 to begin. */
  readonly after: number
  readonly limit: number
}

const pattern = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** Rows of a plan in its order: those who left, then the order of the file. Unchanged records have none. */
export const listPlanRows = async (db: Db, query: PlanQuery): Promise<PlanRow[]> => {
  const { rows } = await sql<PlanRow>`
    select p.seq as sequence, p.kind,
      case when p.stale then 'stale' when p.seq <= r.applied_through and p.kind not in ('conflict', 'invalid') then 'applied' else 'pending' end as state,
      p.row_number as "rowNumber", p.user_id as "userId", p.case_id as "caseId", p.source_key as "sourceKey", p.display_name as "displayName",
      p.employee_id as "employeeId", p.before, p.after, p.reasons
    from plan_rows p join runs r on r.tenant_id = p.tenant_id and r.id = p.run_id
    where p.tenant_id = ${query.tenantId} and p.run_id = ${query.runId} and p.seq > ${query.after}
      ${query.kind ? sql`and p.kind = ${query.kind}` : sql``}
      ${
        query.searchText
          ? sql`and (lower(p.display_name) like ${pattern(query.searchText)} or lower(p.employee_id) like ${pattern(query.searchText)}
              or lower(p.source_key) like ${pattern(query.searchText)})`
          : sql``
      }
    order by p.seq limit ${query.limit}`.execute(db)
  return rows
}
