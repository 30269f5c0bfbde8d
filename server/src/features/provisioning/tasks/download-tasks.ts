import people from '@instep/contract/locales/en_GB/exports.json' with { type: 'json' }
import columns from '@instep/contract/locales/en_GB/task-columns.json' with { type: 'json' }
import frenchPeople from '@instep/contract/locales/fr_FR/exports.json' with { type: 'json' }
import frenchColumns from '@instep/contract/locales/fr_FR/task-columns.json' with { type: 'json' }
import type { TargetTask } from '@instep/contract/target-tasks.ts'
import type { Db } from '../../../platform/db/database.ts'
import { wordsFor } from '../../../platform/http/accepted-languages.ts'
import { CSV_MARK, csvLine } from '../../../platform/http/csv.ts'
import { readTasks, type TaskScope } from './tasks.views.ts'

const PAGE = 500

interface Words {
  readonly columns: typeof columns
  /** Fields by their names. */
  readonly fields: Readonly<Record<string, string>>
}

const WORDS = {
  'en-GB': { columns, fields: people.columns },
  'fr-FR': { columns: frenchColumns, fields: frenchPeople.columns },
}

const headerOf = ({ columns: words }: Words): string =>
  csvLine([
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
  ])

const shown = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

const changeText = ({ changes, kind }: TargetTask, { fields }: Words): string =>
  changes
    .map(({ field, before, after }) => {
      const values = kind === 'create' ? shown(after) : `${shown(before)} → ${shown(after)}`
      return `${fields[field] ?? field}: ${values}`
    })
    .join('; ')

const lineOf = (task: TargetTask, words: Words): string =>
  csvLine([
    task.targetName,
    task.kind,
    task.displayName,
    task.employeeId,
    task.siteName ?? '',
    changeText(task, words),
    task.assignedTo?.name ?? '',
    task.comment ?? '',
    task.openedAt,
    task.state,
    task.closedAt ?? '',
    task.closedBy ?? '',
    task.reason ?? '',
  ])

/** Tasks as CSV in the reader's language, page by page, so that memory does not grow with them. */
export async function* downloadTasks(db: Db, scope: TaskScope, acceptLanguage: string | undefined): AsyncGenerator<string> {
  const words = wordsFor<Words>(WORDS, acceptLanguage)
  yield `${CSV_MARK}${headerOf(words)}`
  let after: string | undefined
  for (;;) {
    const tasks = await readTasks(db, scope, { after, limit: PAGE })
    yield tasks.map((task) => lineOf(task, words)).join('')
    if (tasks.length < PAGE) return
    after = tasks.at(-1)?.id
  }
}
