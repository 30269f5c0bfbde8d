import words from '@instep/contract/locales/en_GB/plan.json' with { type: 'json' }
import type { PlanKind } from '@instep/contract/sync.ts'
import type { Db } from '../../platform/db/database.ts'
import { listPlanRows } from './plan.views.ts'
import { reasonText } from './reason-text.ts'

const PAGE = 1000

/** A CSV cell. What a spreadsheet would take for a formula is defused by an apostrophe in front. */
export const csvCell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** The rows of a plan as CSV, page by page, so that memory does not grow with the plan. Begins with a mark that tells Excel it is UTF-8. */
export async function* downloadPlan(
  db: Db,
  plan: { tenantId: string; runId: string; kind?: PlanKind | undefined },
): AsyncGenerator<string> {
  yield `\ufeff${line([words.columnRow, words.columnEmployeeId, words.columnDisplayName, words.columnKind, words.columnMessage])}`
  let after = 0
  for (;;) {
    const rows = await listPlanRows(db, { ...plan, after, limit: PAGE })
    yield rows.map((row) => line([row.rowNumber, row.employeeId, row.displayName, row.kind, reasonText(row)])).join('')
    if (rows.length < PAGE) return
    after = rows.at(-1)?.sequence ?? after
  }
}
