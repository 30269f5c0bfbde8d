import { readDate } from '@instep/connectors/file/dates.ts'
import { DELIVERIES, type FieldType, MAX_TEXT, USER_FIELDS } from '@instep/contract/user-fields.ts'
import type { MappedColumn } from './resolve-mapping.ts'

/** A value as it is kept (null: the cell is empty), or the code of what is wrong with it. */
export type ReadValue = { readonly value: string | null } | { readonly wrong: string }

const EMPTY: ReadValue = { value: null }
const LINE_BREAKS = /[\r\n\u2028\u2029]/g
// the characters that a cell in order does not have; looked for before anything else
const SUSPECT = /[\0\r\n\u2028\u2029\ud800-\udfff]/

/** The text of a cell, trimmed and without line breaks; undefined where it holds U+0000 or half a surrogate pair, which no text has. */
export const cleanText = (cell: string): string | undefined => {
  if (!SUSPECT.test(cell)) return cell.trim()
  if (cell.includes('\0') || !cell.isWellFormed()) return undefined
  return cell.replace(LINE_BREAKS, '').trim()
}

const tooLong = (text: string): boolean => text.length > MAX_TEXT && (text.length > MAX_TEXT * 2 || [...text].length > MAX_TEXT)

// one @, no spaces or commas, a dot in the domain: what mail systems refuse beyond that they refuse themselves
const EMAIL = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"/]+\.[^\s@,;:<>()[\]\\"/.]+$/
const PHONE = /^(?:\+|00)?[\d\s()./\u00a0-]+$/
const E164 = /^\+[1-9]\d{6,14}$/
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/i

const readEmail = (text: string): ReadValue => (text.length <= 254 && EMAIL.test(text) ? { value: text } : { wrong: 'email' })

/** E.164 where the number says its country, else as it was written. The zero of +44 (0)20 … is for callers at home. */
const readPhone = (text: string): ReadValue => {
  if (!PHONE.test(text)) return { wrong: 'phone' }
  const digits = text.replace(/\D/g, '')
  if (digits.length < 3 || digits.length > 20) return { wrong: 'phone' }
  if (!text.startsWith('+') && !text.startsWith('00')) return { value: text }
  const abroad = text.replace('(0)', '').replace(/\D/g, '').replace(/^00/, '')
  return { value: E164.test(`+${abroad}`) ? `+${abroad}` : text }
}

const languages = new Map<string, ReadValue>()
const LANGUAGES_KEPT = 1000

/** A language tag in its usual spelling, `fr_fr` → `fr-FR`. */
const readLanguage = (text: string): ReadValue => {
  const known = languages.get(text)
  if (known) return known
  const read: ReadValue = LANGUAGE.test(text)
    ? { value: Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0] ?? text }
    : { wrong: 'language' }
  if (languages.size < LANGUAGES_KEPT) languages.set(text, read)
  return read
}

const deliveries = new Map<string, ReadValue>(DELIVERIES.map((delivery) => [delivery, { value: delivery }]))

const readers: Partial<Record<FieldType, (text: string, column: MappedColumn) => ReadValue>> = {
  date: (text, column) => {
    const value = column.dateFormat && readDate(text, column.dateFormat)
    return value === undefined ? { wrong: 'date' } : { value }
  },
  email: readEmail,
  phone: readPhone,
  language: readLanguage,
  delivery: (text) => deliveries.get(text.toLowerCase()) ?? { wrong: 'delivery' },
}

/** Reads one cell as its field wants it: cleaned, translated by the mapping's values, checked. */
export const readValue = (cell: string, column: MappedColumn): ReadValue => {
  if (cell === '') return EMPTY
  const clean = cleanText(cell)
  if (clean === undefined) return { wrong: 'characters' }
  const text = column.values?.get(clean) ?? clean
  if (text === '') return EMPTY
  if (tooLong(text)) return { wrong: 'tooLong' }
  return readers[USER_FIELDS[column.field].type]?.(text, column) ?? { value: text }
}
