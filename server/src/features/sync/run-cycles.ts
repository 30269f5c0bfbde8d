import type { ReportingCycle } from '@instep/contract/reporting-lines.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { reportingCycles } from '../users/public.ts'
import { runEvent } from './run-event.ts'

const MOST_KEPT = 100
const MOST_NAMED = 5

/** Reports the circles that the people of a run stand under: kept for its page, and told in its record. Writes nothing where there is none. */
export const noteCycles = async (tx: Tx, { run, at }: { run: RunRow; at: Date }): Promise<void> => {
  const key = { tenant_id: run.tenantId, run_id: run.id }
  const cycles = await reportingCycles(tx, {
    tenantId: run.tenantId,
    users: sql`
      select p.user_id from plan_rows p
      where p.tenant_id = ${run.tenantId} and p.run_id = ${run.id} and not p.stale and p.kind not in ('conflict', 'invalid')
        and (p.user_version is null or p.after ?| array['manager', 'managerReferenceType', 'externalId', 'employeeNumber', 'workEmail'])`,
  })
  if (cycles.length === 0) return
  const rows = cycles.slice(0, MOST_KEPT).map((people, position) => ({ ...key, position, people: JSON.stringify(people) }))
  await tx.insertInto('manager_cycles').values(rows).execute()
  const names = cycles.slice(0, MOST_NAMED).map((people) => [...people, ...people.slice(0, 1)].map(({ name }) => name).join(' → '))
  await recordEvents(tx, [runEvent(run, { type: 'run.reportingCycles', at, data: { count: cycles.length, names: names.join('; ') } })])
}

/** The circles that a run left. */
export const listRunCycles = async (db: Db, { tenantId, runId }: { tenantId: string; runId: string }): Promise<ReportingCycle[]> => {
  const { rows } = await sql<{ people: ReportingCycle }>`
    select people from manager_cycles where tenant_id = ${tenantId} and run_id = ${runId} order by position`.execute(db)
  return rows.map(({ people }) => people)
}
