import words from '@instep/contract/locales/en_GB/plan.json' with { type: 'json' }
import type { Db } from '../../platform/db/database.ts'
import { CSV_MARK, csvLine } from '../../platform/http/csv.ts'
import { listPlanRows, type PlanPart } from './plan.views.ts'
import { reasonText } from './reason-text.ts'

const PAGE = 1000

/** The rows of a plan as CSV, page by page, so that memory does not grow with the plan. */
export async function* downloadPlan(db: Db, plan: PlanPart): AsyncGenerator<string> {
  yield `${CSV_MARK}${csvLine([words.columnRow, words.columnEmployeeId, words.columnDisplayName, words.columnKind, words.columnMessage])}`
  let after = 0
  for (;;) {
    const rows = await listPlanRows(db, { ...plan, after, limit: PAGE })
    yield rows.map((row) => csvLine([row.rowNumber, row.employeeId, row.displayName, row.kind, reasonText(row)])).join('')
    if (rows.length < PAGE) return
    after = rows.at(-1)?.sequence ?? after
  }
}
