import { once } from 'node:events'
import type pg from 'pg'
import { copyInto } from '../../platform/db/copy.ts'
import { noCounts, type PlanCounts, type PlannedRow } from './plan-row.ts'

const COLUMNS = [
  'tenant_id',
  'run_id',
  'seq',
  'kind',
  'row_number',
  'user_id',
  'user_version',
  'source_key',
  'record_hash',
  'display_name',
  'employee_id',
  'before',
  'after',
  'reasons',
  'case_id',
] as const

export interface PlanWriter {
  /** Gives the row the next sequence; waits while the database is behind. */
  add(row: PlannedRow): Promise<void> | undefined
  /** How many rows of each kind were added. */
  readonly counts: PlanCounts
  /** Waits until every row is in the table (and in the client's transaction). */
  end(): Promise<void>
  abandon(): void
}

/** Writes a plan by COPY, in the client's transaction. */
export const createPlanWriter = (client: pg.ClientBase, { tenantId, runId }: { tenantId: string; runId: string }): PlanWriter => {
  const sink = copyInto(client, 'plan_rows', COLUMNS)
  const finished = once(sink, 'finish')
  // a failure is seen by whoever waits for room or for the end
  finished.catch(() => undefined)
  const counts = noCounts()
  let sequence = 0
  return {
    counts,
    add: (row) => {
      sequence += 1
      counts[row.kind] += 1
      const { before, after, reasons } = row
      const cells = [
        tenantId,
        runId,
        sequence,
        row.kind,
        row.rowNumber,
        row.userId,
        row.userVersion,
        row.sourceKey,
        row.recordHash,
        row.displayName,
        row.employeeId,
        JSON.stringify(before),
        JSON.stringify(after),
        JSON.stringify(reasons),
        row.caseId,
      ]
      return sink.write(cells) ? undefined : Promise.race([once(sink, 'drain'), finished]).then(() => undefined)
    },
    end: async () => {
      sink.end()
      await finished
    },
    abandon: () => sink.destroy(),
  }
}
