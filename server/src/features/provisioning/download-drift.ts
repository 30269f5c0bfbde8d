import type { DriftFinding } from '@instep/contract/drift.ts'
import english from '@instep/contract/locales/en_GB/drift.json' with { type: 'json' }
import french from '@instep/contract/locales/fr_FR/drift.json' with { type: 'json' }
import type { Db } from '../../platform/db/database.ts'
import { wordsFor } from '../../platform/http/accepted-languages.ts'
import { CSV_MARK, csvLine } from '../../platform/http/csv.ts'
import type { DriftKey } from './drift.store.ts'
import { driftFindings } from './drift.views.ts'

const PAGE = 1000

type Words = typeof english

const cell = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const linesOf = ({ kind, state, remoteId, name, person, changes }: DriftFinding, words: Words): string => {
  const who = [words[kind], words[`state_${state}`], remoteId, person?.employeeId ?? '', person?.displayName ?? name ?? '']
  if (changes.length === 0) return csvLine([...who, '', '', ''])
  return changes.map(({ attribute, applied, found }) => csvLine([...who, attribute, cell(applied), cell(found)])).join('')
}

/** What a run found as CSV in the reader's language, page by page, so that memory does not grow with it. */
export async function* downloadDrift(db: Db, key: DriftKey, acceptLanguage: string | undefined): AsyncGenerator<string> {
  const words = wordsFor<Words>({ 'en-GB': english, 'fr-FR': french }, acceptLanguage)
  const { columnKind, columnState, columnAccount, columnEmployeeId, columnDisplayName, columnAttribute, columnApplied, columnFound } = words
  yield `${CSV_MARK}${csvLine([columnKind, columnState, columnAccount, columnEmployeeId, columnDisplayName, columnAttribute, columnApplied, columnFound])}`
  let after = 0
  for (;;) {
    const rows = await driftFindings(db, { ...key, kind: undefined, open: false, after, limit: PAGE })
    yield rows.map((finding) => linesOf(finding, words)).join('')
    if (rows.length < PAGE) return
    after = rows.at(-1)?.sequence ?? after
  }
}
