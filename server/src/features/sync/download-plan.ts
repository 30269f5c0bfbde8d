import type { Db } from '../../platform/db/database.ts'
import { CSV_MARK, csvLine } from '../../platform/http/csv.ts'
import { listPlanRows, type PlanPart } from './plan.views.ts'
import type { PlanWords } from './plan-words.ts'
import { reasonText } from './reason-text.ts'

const PAGE = 1000

/** The rows of a plan as CSV, page by page, so that memory does not grow with the plan. */
export async function* downloadPlan(db: Db, plan: PlanPart, words: PlanWords): AsyncGenerator<string> {
  const { columnRow, columnEmployeeId, columnDisplayName, columnKind, columnMessage } = words.plan
  yield `${CSV_MARK}${csvLine([columnRow, columnEmployeeId, columnDisplayName, columnKind, columnMessage])}`
  let after = 0
  for (;;) {
    const rows = await listPlanRows(db, { ...plan, after, limit: PAGE })
    yield rows.map((row) => csvLine([row.rowNumber, row.employeeId, row.displayName, row.kind, reasonText(row, words)])).join('')
    if (rows.length < PAGE) return
    after = rows.at(-1)?.sequence ?? after
  }
}
