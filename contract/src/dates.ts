import { DATE_FORMATS, type DateFormat } from './date-formats.ts'
import { monthOf } from './month-names.ts'

/** Two-digit years below this are of this century. */
const PIVOT = 50
const LONGEST = 40

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const daysIn = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0))

const fullYear = (digits: string): number => {
  const year = Number(digits)
  if (digits.length === 4) return year
  return year < PIVOT ? 2000 + year : 1900 + year
}

const two = (value: number): string => String(value).padStart(2, '0')

const compose = (year: number, month: number, day: number): string | undefined => {
  if (year < 1000 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  return `${year}-${two(month)}-${two(day)}`
}

/** A time of day after the date; it is read to be sure that it is one, and dropped. */
const TIME =
  /^(.*?\d)(?:[T ]\s*(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?)$/
const YEAR_FIRST = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/
const NUMBERS = /^(\d{1,2})(\s?[-/.]\s?|\s)(\d{1,2})(\s?[-/.]\s?|\s)(\d{4}|\d{2})\.?$/
/** Day and month, or month and day, before a year of our time: what stands year first never ends so. */
const COMPACT_YEAR_LAST = /^(\d{2})(\d{2})((?:19|20)\d{2})$/
const SHORT_YEAR_FIRST = /^(\d{2})([-/. ])(\d{1,2})\2(\d{1,2})$/
const DAY_MONTH_NAME = /^(\d{1,2})(?:\.|st|nd|rd|th|er)?[\s/-]*([\p{L}\p{M}]{3,10})\.?,?[\s/-]*(\d{4}|\d{2})$/u
const MONTH_NAME_DAY = /^([\p{L}\p{M}]{3,10})\.?[\s/-]*(\d{1,2})(?:st|nd|rd|th)?(?:,\s*|[\s/-]+)(\d{4}|\d{2})$/u
const WEEKDAY = /^[\p{L}\p{M}]{2,10}\.?,\s*(?=\d|\p{L})/u

const withoutTime = (text: string): string => TIME.exec(text)?.[1] ?? text

/** `2024-02-29`, with or without a time: the same day whatever the file's order is. */
const readYearFirst = (text: string): string | undefined => {
  const parts = YEAR_FIRST.exec(text)
  return parts ? compose(Number(parts[1]), Number(parts[3]), Number(parts[4])) : undefined
}

const readNumbers = (text: string, format: 'DMY' | 'MDY'): string | undefined => {
  const parts = COMPACT_YEAR_LAST.exec(text)?.toSpliced(2, 0, '').toSpliced(4, 0, '') ?? NUMBERS.exec(text)
  if (!parts || parts[2]?.trim() !== parts[4]?.trim()) return undefined
  const [first, second] = [Number(parts[1]), Number(parts[3])]
  return compose(fullYear(parts[5] ?? ''), format === 'DMY' ? second : first, format === 'DMY' ? first : second)
}

const readNamed = (text: string, format: 'DMY' | 'MDY'): string | undefined => {
  const parts = (format === 'DMY' ? DAY_MONTH_NAME : MONTH_NAME_DAY).exec(text.replace(WEEKDAY, ''))
  if (!parts) return undefined
  const [day, name] = format === 'DMY' ? [parts[1], parts[2]] : [parts[2], parts[1]]
  const month = monthOf(name ?? '')
  return month === undefined ? undefined : compose(fullYear(parts[3] ?? ''), month, Number(day))
}

const readYmd = (text: string): string | undefined => {
  const parts = COMPACT.exec(text) ?? SHORT_YEAR_FIRST.exec(text)?.toSpliced(2, 1)
  return parts ? compose(fullYear(parts[1] ?? ''), Number(parts[2]), Number(parts[3])) : undefined
}

const tidy = (text: string): string => (text.length > LONGEST ? '' : text.replace(/[\s\u200e\u200f]+/g, ' ').trim())

/**
 * Reads a date written in this order and answers `YYYY-MM-DD`, or undefined when it is no such date: 31/02/2024 is none. Separators are / - . and space,
 * none at all where the year is 19xx or 20xx, two-digit years below 50 are 20xx, month names may be English, French or German, a time of day is dropped. A year of four digits in front
 * (`2024-02-29`, ISO instants) is read in every order, because nobody means anything else by it; its day is the one written, in no other time zone.
 */
export const readDate = (text: string, format: DateFormat): string | undefined => {
  const date = withoutTime(tidy(text))
  const yearFirst = readYearFirst(date)
  if (yearFirst !== undefined || date === '') return yearFirst
  if (format === 'YMD') return readYmd(date)
  return readNumbers(date, format) ?? readNamed(date, format)
}

/** A date as callers of the API write one, `YYYY-MM-DD` or `DD/MM/YYYY`, as `YYYY-MM-DD`; undefined for no such date. */
export const readApiDate = (text: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$|^\d{2}\/\d{2}\/\d{4}$/.test(text) ? readDate(text, 'DMY') : undefined

/**
 * The orders in which the samples can be read: several = the samples do not tell, none = this is no column of dates. Blank samples, year-first dates
 * and values that no order can read (N/A, 31/02/2024) tell nothing; but at least half of the filled samples must be dates.
 */
export const possibleFormats = (samples: readonly string[]): DateFormat[] => {
  const filled = samples.map((sample) => withoutTime(tidy(sample))).filter((sample) => sample !== '')
  const yearFirst = filled.filter((sample) => readYearFirst(sample) !== undefined).length
  const telling = filled
    .filter((sample) => readYearFirst(sample) === undefined)
    .map((sample) => DATE_FORMATS.filter((format) => readDate(sample, format) !== undefined))
    .filter((formats) => formats.length > 0)
  if (yearFirst + telling.length === 0 || yearFirst + telling.length < filled.length / 2) return []
  if (telling.length === 0) return ['YMD']
  return DATE_FORMATS.filter((format) => telling.every((formats) => formats.includes(format)))
}
