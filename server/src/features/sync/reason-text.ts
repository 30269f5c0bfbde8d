import { formDate } from '@instep/contract/form-dates.ts'
import type { PlanRow } from '@instep/contract/sync.ts'
import { USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import type { PlanWords } from './plan-words.ts'

type Params = Readonly<Record<string, string | number>>

// a function, because a name may hold what a replacement pattern means something by
const filled = (text: string, params: Params): string => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))

const isField = (name: string): name is UserFieldName => Object.hasOwn(USER_FIELDS, name)

/** A value as a file shows it. */
const shown = (field: UserFieldName, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  return USER_FIELDS[field].type === 'date' ? formDate(String(value)) : String(value)
}

/** Members of a plan's row that are no fields of their own, by the columns of an export that say the same. */
const SAID_AS: Readonly<Record<string, string>> = { placement: 'siteName', active: 'status', employment: 'status' }

/** What changes: each field from what to what; of all else that it does. */
const changes = ({ before, after }: Pick<PlanRow, 'before' | 'after'>, { fields }: PlanWords): string => {
  const labelOf = (name: string): string => fields[SAID_AS[name] ?? name] ?? name
  const told = Object.keys({ ...before, ...after }).map((name) =>
    isField(name) ? `${labelOf(name)} ${shown(name, before[name])} → ${shown(name, after[name])}` : labelOf(name),
  )
  return [...new Set(told)].join('; ')
}

const reasonParams = (params: Params, { expression }: PlanWords): Params => {
  const { because, date, at } = params
  return {
    ...params,
    ...(typeof because === 'string' && because in expression && { detail: filled(expression[because] ?? '', params) }),
    ...(typeof date === 'string' && { date: formDate(date) }),
    ...(typeof at === 'string' && { at: `${at.slice(0, 19).replace('T', ' ')} UTC` }),
  }
}

type SaidRow = Pick<PlanRow, 'kind' | 'before' | 'after'> & { readonly reasons: readonly PlanRow['reasons'][number][] }

/** Why a row of a plan is what it is, in words. */
export const reasonText = (row: SaidRow, words: PlanWords): string => {
  const sentence = (code: string, params: Params): string => filled(words.plan[code] ?? code, params)
  const told = row.reasons.map(({ code, field, params = {} }) =>
    sentence(code, { ...reasonParams(params, words), ...(field ? { field: words.fields[field] ?? field } : {}) }),
  )
  if (row.kind === 'create') told.push(sentence('created', {}))
  if (row.kind === 'update') told.push(sentence('updated', { fields: changes(row, words) }))
  return told.join(' ')
}
