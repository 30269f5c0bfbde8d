import type { DateFormat } from '@instep/contract/date-formats.ts'
import type { Column, FieldMapping, Mapping } from '@instep/contract/sync.ts'
import { type FieldType, USER_FIELDS, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import { headerScore, headerWords, isAboutOthers } from './header-score.ts'

interface Candidate {
  readonly field: UserFieldName
  readonly column: Column
  readonly score: number
}

/** Most of the samples, so that one odd value does not decide; none at all decides nothing. */
const most = (samples: readonly string[], test: (value: string) => boolean): boolean =>
  samples.filter((sample) => test(sample.trim())).length >= samples.length * 0.6

const isEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
const isPhone = (value: string): boolean => /^\+?[\d\s().\-/]{6,24}$/.test(value) && value.replace(/\D/g, '').length >= 6
const isFlag = (value: string): boolean => /^(y|n|yes|no|true|false|oui|non|ja|nein|0|1)$/i.test(value)
/** An id or an address, not a name. */
const isReference = (value: string): boolean => !/\s/.test(value) && !isFlag(value)

const isEmails = (column: Column): boolean => column.samples.length > 0 && most(column.samples, isEmail)
const isDates = (column: Column): boolean => column.dateFormats.length > 0 && most(column.samples, (value) => !/^\d+$/.test(value))
const isUnique = (column: Column): boolean => new Set(column.samples.map((sample) => sample.trim())).size === column.samples.length

/** Whether the samples can be values of this kind of field. */
const fits = (type: FieldType, column: Column): boolean => {
  if (column.samples.length === 0) return true
  if (type === 'date') return column.dateFormats.length > 0
  if (isDates(column)) return false
  if (type === 'email') return isEmails(column)
  if (type === 'phone') return most(column.samples, isPhone)
  if (type === 'reference') return most(column.samples, isReference)
  return true
}

/** Fields of text that may well hold email addresses. */
const EMAIL_TEXTS: readonly UserFieldName[] = ['userName', 'externalId', 'externalReferenceId']

const candidate = (field: UserFieldName, column: Column): Candidate[] => {
  const score = headerScore(field, column.name)
  const { type } = USER_FIELDS[field]
  if (score === 0 || !fits(type, column)) return []
  if (type === 'text' && isEmails(column) && !EMAIL_TEXTS.includes(field)) return []
  if (field === 'externalId' && !isUnique(column)) return []
  return [{ field, column, score }]
}

/** Best first; each field and each column is taken once. */
const assign = (candidates: readonly Candidate[]): Map<UserFieldName, Column> => {
  const taken = new Map<UserFieldName, Column>()
  const used = new Set<Column>()
  for (const { field, column } of [...candidates].sort((a, b) => b.score - a.score)) {
    if (taken.has(field) || used.has(column)) continue
    taken.set(field, column)
    used.add(column)
  }
  return taken
}

/** Addresses under a header that says nothing are the work email, when nothing else is. */
const addEmail = (taken: Map<UserFieldName, Column>, columns: readonly Column[]): void => {
  if (taken.has('workEmail') || taken.has('personalEmail')) return
  const used = new Set(taken.values())
  const free = columns.filter((column) => !used.has(column) && isEmails(column) && headerScore('manager', column.name) === 0)
  if (free.length === 1 && free[0]) taken.set('workEmail', free[0])
}

const isIdColumn = (column: Column): boolean =>
  !isAboutOthers(column.name) &&
  headerWords(column.name).some((word) => /^(id|code|number|num|nr|key)$/.test(word)) &&
  column.filled > 0.99 &&
  isUnique(column) &&
  most(column.samples, (value) => /\d/.test(value) && !/\s/.test(value))

/**
 * The one exception to "each column once": the employee number identifies people where the file has no other id, and a personnel number that
 * identifies them is their employee number too.
 */
const shareId = (taken: Map<UserFieldName, Column>, columns: readonly Column[]): void => {
  const used = new Set(taken.values())
  const number = taken.get('employeeNumber')
  const found =
    taken.get('externalId') ?? (number && isUnique(number) ? number : columns.find((column) => !used.has(column) && isIdColumn(column)))
  if (!found) return
  taken.set('externalId', found)
  if (!number && headerScore('employeeNumber', found.name) > 0) taken.set('employeeNumber', found)
}

/** The one way in which the columns write dates, as far as they tell; undefined where they do not agree. */
const writtenDates = (taken: ReadonlyMap<UserFieldName, Column>): DateFormat | undefined => {
  const told = [...taken].flatMap(([field, { samples, dateFormats }]) =>
    USER_FIELDS[field].type === 'date' && samples.length > 0 && dateFormats.length === 1 ? dateFormats : [],
  )
  const [format, ...others] = new Set(told)
  return others.length === 0 ? format : undefined
}

const mappingOf = (field: UserFieldName, column: Column, written: DateFormat | undefined): FieldMapping => {
  const [only, ...others] = column.dateFormats
  // an empty column will hold what its neighbours hold
  const format = column.samples.length === 0 ? written : others.length === 0 ? only : undefined
  return USER_FIELDS[field].type === 'date' && format ? { column: column.name, dateFormat: format } : { column: column.name }
}

/**
 * A first mapping, from the columns' names (`USER_FIELDS` headers, folded) and from what their samples look like. Each field and each column is used
 * once, except that one column may be both `externalId` and `employeeNumber` when there is no other. A date field has a `dateFormat` only when the
 * samples allow exactly one, or it is empty and the file's other dates are all written in one way: a person decides the rest. Pure; the same columns give the same mapping.
 */
export const suggestMapping = (columns: readonly Column[]): Mapping => {
  const taken = assign(userFieldNames.flatMap((field) => columns.flatMap((column) => candidate(field, column))))
  addEmail(taken, columns)
  shareId(taken, columns)
  const written = writtenDates(taken)
  const fields: Mapping['fields'] = {}
  for (const field of userFieldNames) {
    const column = taken.get(field)
    if (column) fields[field] = mappingOf(field, column, written)
  }
  return { fields }
}
