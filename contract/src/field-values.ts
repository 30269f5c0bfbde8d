/**
 * What a value of a person must look like, whoever gives it: a file, a form, a call. Pure.
 */

import type { DateFormat } from './date-formats.ts'
import { readDate } from './dates.ts'
import type { ExpressionReason } from './expression-engine.ts'
import { DELIVERIES, type FieldType, longestOf, REFERENCE_TYPES, USER_FIELDS, type UserFieldName } from './user-fields.ts'

/**
 * A value as it is kept (null: the cell is empty), or the code of what is wrong with it, the text concerned where that is not the cell's, and more
 * words where there are some.
 */
export type ReadValue = { readonly value: string | null } | ({ readonly wrong: string; readonly text?: string } & Partial<ExpressionReason>)

const LINE_BREAKS = /[\r\n\u2028\u2029]/g
// the characters that a cell in order does not have; looked for before anything else
const SUSPECT = /[\0\r\n\u2028\u2029\ud800-\udfff]/

/** The text of a cell, trimmed and without line breaks; undefined where it holds U+0000 or half a surrogate pair, which no text has. */
export const cleanText = (cell: string): string | undefined => {
  if (!SUSPECT.test(cell)) return cell.trim()
  if (cell.includes('\0') || !cell.isWellFormed()) return undefined
  return cell.replace(LINE_BREAKS, '').trim()
}

const isLonger = (text: string, longest: number): boolean =>
  text.length > longest && (text.length > longest * 2 || [...text].length > longest)

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

const referenceTypes = new Map<string, ReadValue>(REFERENCE_TYPES.map((type) => [type.toLowerCase(), { value: type }]))

const readers: Partial<Record<FieldType, (text: string, format: DateFormat | undefined) => ReadValue>> = {
  date: (text, format) => {
    const value = format && readDate(text, format)
    return value === undefined ? { wrong: 'date' } : { value }
  },
  email: readEmail,
  phone: readPhone,
  language: readLanguage,
  delivery: (text) => deliveries.get(text.toLowerCase()) ?? { wrong: 'delivery' },
  referenceType: (text) => referenceTypes.get(text.toLowerCase()) ?? { wrong: 'referenceType' },
}

/** Whether a text is a number, with a point or a comma. */
export const isNumber = (text: string): boolean => /^[+-]?\d+(?:[.,]\d+)?$/.test(text)

/** Reads a clean text that is not empty as its field wants it. A date needs the order that it is written in. */
export const readField = (field: UserFieldName, text: string, format?: DateFormat): ReadValue => {
  if (isLonger(text, longestOf(field))) return { wrong: 'tooLong' }
  return readers[USER_FIELDS[field].type]?.(text, format) ?? { value: text }
}
