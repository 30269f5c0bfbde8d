import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const DAY = 24 * 60 * 60 * 1000

/** How many people of a connector are active, and how many its runs have deactivated in the 24 hours before `at`. */
export const guardFigures = async (
  db: Db,
  { tenantId, connectorId, at }: { tenantId: string; connectorId: string; at: Date },
): Promise<{ active: number; recentDeactivations: number }> => {
  const { rows } = await sql<{ active: number; recentDeactivations: number }>`
    select
      (select count(*) from users where tenant_id = ${tenantId} and connector_id = ${connectorId} and active)::integer as active,
      (
        select count(*) from runs r join plan_rows p on p.tenant_id = r.tenant_id and p.run_id = r.id
        where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId} and r.finished_at > ${new Date(at.getTime() - DAY)}
          and (p.kind = 'deactivate' or p.kind = 'future' and p.before ->> 'active' = 'true') and not p.stale and p.seq <= r.applied_through
      )::integer as "recentDeactivations"`.execute(db)
  return rows[0] ?? { active: 0, recentDeactivations: 0 }
}
