/** What somebody has typed into the form of a person, and what of it is asked of the server. Pure. */
import { formDate, readFormDate, wireDate } from '@instep/contract/form-dates.ts'
import type { ClaimField, Defaults } from '@instep/contract/settings.ts'
import type { UserInput } from '@instep/contract/user-edits.ts'
import { formOf, inputOf, newForm, type UserForm } from '@instep/contract/user-form.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { PHONE_COUNTRIES, type PhoneCountry, phoneCountryOf } from '../../shared/phone-countries.ts'
import { defaultPhoneCountry, withDefaults, withoutHiddenContact } from './user-form.rules.ts'
import { changedUnits, DATE_UNITS } from './user-form.units.ts'

/** The whole state of an open form; it is what a draft keeps. */
export interface TypedPerson {
  /** Of an edit: the person as the form was opened with. */
  readonly before: UserDetails | null
  /** The form as it was opened: of a new person with the defaults. */
  readonly opened: UserForm
  readonly form: UserForm
  readonly phoneCountry: PhoneCountry
  /** Kept with the overrides that the edit makes. */
  readonly overrideReason: string
  readonly overrideUntil: string
  /** The department that the position was cleared for. */
  readonly clearedFor: string | null
}

const NOTHING = { overrideReason: '', overrideUntil: '', clearedFor: null } as const

/** The form of somebody who is there. */
export const typedOf = (before: UserDetails): TypedPerson => {
  const form = formOf(before)
  return { before, opened: form, form, phoneCountry: phoneCountryOf(''), ...NOTHING }
}

/** The form of somebody new, with the defaults of the place. */
export const typedNew = (
  place: Parameters<typeof newForm>[0],
  { effective, prefix }: { effective: NonNullable<Defaults['effective']>; prefix: string },
): TypedPerson => {
  const form = { ...withDefaults(newForm(place), effective), employeeIdPrefix: prefix }
  return { before: null, opened: form, form, phoneCountry: phoneCountryOf(defaultPhoneCountry(effective)), ...NOTHING }
}

/** Whether there is something to lose. */
export const isDirty = ({ form, opened, overrideReason, overrideUntil }: TypedPerson): boolean =>
  changedUnits(form, opened).length > 0 || overrideReason !== '' || overrideUntil !== ''

/** A date as the form shows it where it can be read in one way; else as it was typed. */
export const tidyDate = (text: string): string => {
  const read = text.trim() === '' ? undefined : readFormDate(text)
  return read && 'date' in read ? formDate(read.date) : text.trim()
}

/** A date of a security attribute as it is kept, `YYYY-MM-DD`, where it can be read in one way. */
export const tidyClaimDate = (text: string): string => {
  const date = tidyDate(text)
  return wireDate(date) ?? ''
}

/** Dates as they are kept, whatever way they were typed. */
export const withTidyDates = (form: UserForm, claims: readonly Pick<ClaimField, 'id' | 'type'>[]): UserForm => {
  const dates = Object.fromEntries(DATE_UNITS.map((unit) => [unit, tidyDate(form[unit])]))
  const attributes = claims.flatMap(({ id, type }) => {
    const value = form.claimFields[id]
    return type === 'date' && value !== undefined ? [[id, tidyClaimDate(value)]] : []
  })
  return { ...form, ...dates, claimFields: { ...form.claimFields, ...Object.fromEntries(attributes) } }
}

interface InputParts {
  /** Whether the edit sets something over the source's values. */
  readonly overrides: boolean
  readonly claims: readonly Pick<ClaimField, 'id' | 'type'>[]
  /** The phone number as E.164, where it could be read. */
  readonly phone: string | null
}

/** What saving asks of the server; empty where an edit has changed nothing. */
export const inputFor = (
  { before, form, phoneCountry, overrideReason, overrideUntil }: TypedPerson,
  { overrides, claims, phone }: InputParts,
): UserInput => {
  const tidy = withTidyDates(form, claims)
  const written = phone === null ? tidy : { ...tidy, phoneNumber: phone }
  if (!before) {
    const phonePrefix = PHONE_COUNTRIES.find(({ country }) => country === phoneCountry)?.prefix
    return inputOf(withoutHiddenContact(written), { mode: 'create', phonePrefix })
  }
  const input = inputOf(written, { mode: 'edit', before })
  if (!overrides) return input
  const until = wireDate(tidyDate(overrideUntil))
  return {
    ...input,
    ...(overrideReason.trim() && { overrideReason: overrideReason.trim() }),
    ...(until && { overrideUntil: until }),
  }
}
