/** Dates as people type them into a form. Pure. */
import { DATE_FORMATS } from './date-formats.ts'
import { readDate } from './dates.ts'

/** What a text means: one date, several that nobody should choose between but the person who typed it, or none. All `YYYY-MM-DD`. */
export type FormDate = { readonly date: string } | { readonly ask: readonly [string, string] } | { readonly impossible: true }

/** The form's own way of writing a date, which is not asked about. */
const OWN = /^\d{2}\/\d{2}\/\d{4}$/

/** A day in one number. */
const COMPACT = /^\d{8}$/

/**
 * Reads a date that was typed: many separators, month names, two-digit years below 50 as 20xx and the rest as 19xx. `DD/MM/YYYY` is read as it
 * stands; anything else that is one day in one order and another in another is asked about, never guessed. 31/02 is no date in any order.
 */
export const readFormDate = (text: string): FormDate => {
  const typed = text.trim()
  if (OWN.test(typed)) {
    const date = readDate(typed, 'DMY')
    return date === undefined ? { impossible: true } : { date }
  }
  const orders = COMPACT.test(typed) ? DATE_FORMATS : (['DMY', 'MDY'] as const)
  const [date, other] = new Set(orders.flatMap((format) => readDate(typed, format) ?? []))
  if (date === undefined) return { impossible: true }
  return other === undefined ? { date } : { ask: [date, other] }
}

/** `YYYY-MM-DD` as the form shows it, `DD/MM/YYYY`; empty for no date. */
export const formDate = (date: string | null): string => (date === null ? '' : date.split('-').reverse().join('/'))

/** The form's `DD/MM/YYYY` as `YYYY-MM-DD`, null for no date; what is no such date stays as it is, so that it is refused where it is checked. */
export const wireDate = (text: string): string | null => {
  if (text === '') return null
  return (OWN.test(text) ? readDate(text, 'DMY') : undefined) ?? text
}
