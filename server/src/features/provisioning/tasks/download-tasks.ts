import people from '@instep/contract/locales/en_GB/exports.json' with { type: 'json' }
import words from '@instep/contract/locales/en_GB/task-columns.json' with { type: 'json' }
import type { TargetTask } from '@instep/contract/target-tasks.ts'
import type { Db } from '../../../platform/db/database.ts'
import { CSV_MARK, csvLine } from '../../../platform/http/csv.ts'
import { readTasks, type TaskScope } from './tasks.views.ts'

const PAGE = 500

const HEADER = [
  words.target,
  words.task,
  words.person,
  words.employeeId,
  words.site,
  words.change,
  words.assignedTo,
  words.comment,
  words.openedAt,
  words.state,
  words.closedAt,
  words.closedBy,
  words.reason,
]

const labelOf = (field: string): string => (people.columns as Readonly<Record<string, string>>)[field] ?? field
const shown = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

const changeText = ({ changes, kind }: TargetTask): string =>
  changes
    .map(({ field, before, after }) =>
      kind === 'create' ? `${labelOf(field)}: ${shown(after)}` : `${labelOf(field)}: ${shown(before)} → ${shown(after)}`,
    )
    .join('; ')

const lineOf = (task: TargetTask): string =>
  csvLine([
    task.targetName,
    task.kind,
    task.displayName,
    task.employeeId,
    task.siteName ?? '',
    changeText(task),
    task.assignedTo?.name ?? '',
    task.comment ?? '',
    task.openedAt,
    task.state,
    task.closedAt ?? '',
    task.closedBy ?? '',
    task.reason ?? '',
  ])

/** Tasks as CSV, page by page, so that memory does not grow with them. */
export async function* downloadTasks(db: Db, scope: TaskScope): AsyncGenerator<string> {
  yield `${CSV_MARK}${csvLine(HEADER)}`
  let after: string | undefined
  for (;;) {
    const tasks = await readTasks(db, scope, { after, limit: PAGE })
    yield tasks.map(lineOf).join('')
    if (tasks.length < PAGE) return
    after = tasks.at(-1)?.id
  }
}
