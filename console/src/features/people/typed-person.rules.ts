/** What somebody has typed into the form of a person, and what of it is asked of the server. Pure. */
import { formDate, readFormDate, wireDate } from '@instep/contract/form-dates.ts'
import type { LookupValue } from '@instep/contract/lookups.ts'
import type { ClaimField, Defaults } from '@instep/contract/settings.ts'
import type { UserInput } from '@instep/contract/user-edits.ts'
import { formOf, newForm, type UserForm } from '@instep/contract/user-form.ts'
import { inputOf } from '@instep/contract/user-form-input.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { PHONE_COUNTRIES, type PhoneCountry, phoneCountryOf } from '../../shared/phone-countries.ts'
import { isSourced, keptOverride, newOverrides, sourceBeside, sourceForm } from './override.rules.ts'
import { defaultPhoneCountry, withAllowedTitle, withDefaults, withDelivery, withoutHiddenContact } from './user-form.rules.ts'
import { changedUnits, DATE_UNITS, readUnit, sameValue, type Unit } from './user-form.units.ts'

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
  /** Overrides that keep their value, and take the reason and the last day above. */
  readonly renewed: readonly Unit[]
  /** The department that the position was last held against. */
  readonly titleFor: string
  /** The department that the position was cleared for. */
  readonly clearedFor: string | null
}

const NOTHING = { overrideReason: '', overrideUntil: '', renewed: [], clearedFor: null } as const

/** The form of somebody who is there. */
export const typedOf = (before: UserDetails): TypedPerson => {
  const form = formOf(before)
  return { before, opened: form, form, phoneCountry: phoneCountryOf(''), titleFor: form.department, ...NOTHING }
}

/** The form of somebody new, with the defaults of the place. */
export const typedNew = (
  place: Parameters<typeof newForm>[0],
  { effective, prefix }: { effective: NonNullable<Defaults['effective']>; prefix: string },
): TypedPerson => {
  const form = { ...withDefaults(newForm(place), effective), employeeIdPrefix: prefix }
  const phoneCountry = phoneCountryOf(defaultPhoneCountry(effective))
  return { before: null, opened: form, form, phoneCountry, titleFor: form.department, ...NOTHING }
}

/** The department that the position must still be held against; null where it was, or where there is no position or no department. */
export const departmentToCheck = ({ form, titleFor }: TypedPerson): string | null => {
  const department = form.department.trim()
  return department === titleFor.trim() || department === '' || form.title.trim() === '' ? null : department
}

/** Held against `allowed`, the positions that the department uses: one that is not among them is cleared. */
export const withTitleChecked = (typed: TypedPerson, allowed: readonly Pick<LookupValue, 'value'>[]): TypedPerson => {
  const titleFor = typed.form.department
  const { form, cleared } = withAllowedTitle(typed.form, allowed)
  return cleared ? { ...typed, form, titleFor, clearedFor: titleFor.trim() } : { ...typed, titleFor }
}

/** What saving would newly set over the source. */
export const pendingOverrides = ({ before, form, opened }: TypedPerson): Unit[] => {
  if (!before || !isSourced(before)) return []
  const shown = withoutHiddenContact(form, before)
  const { email } = withDelivery(opened, shown.accessCodeDelivery, before)
  return newOverrides(shown, { opened: { ...opened, email }, source: sourceBeside(shown, sourceForm(before), before) })
}

/** The reason and the last day of a kept override, as they are typed. */
const termsOf = ({ reason, until }: UserDetails['overridden'][number]) => ({
  overrideReason: reason ?? '',
  overrideUntil: formDate(until),
})

/** Kept overrides whose reason and last day are being changed; not those whose value is another by now. */
export const openRenewals = ({ before, form, opened, renewed }: TypedPerson) =>
  renewed.flatMap((unit) => {
    const kept = before && sameValue(readUnit(form, unit), readUnit(opened, unit)) ? keptOverride(before, unit) : undefined
    return kept ? [{ unit, kept }] : []
  })

/** Those of them that get another reason or another last day. */
const renewals = (typed: TypedPerson) =>
  openRenewals(typed).filter(({ kept }) => {
    const was = termsOf(kept)
    return typed.overrideReason.trim() !== was.overrideReason || tidyDate(typed.overrideUntil) !== was.overrideUntil
  })

const hasTerms = ({ overrideReason, overrideUntil }: TypedPerson): boolean => overrideReason !== '' || overrideUntil !== ''

/** Opens the reason and the last day of a kept override for a change, as they are unless others were typed already. */
export const withRenewal = (typed: TypedPerson, unit: Unit): TypedPerson => {
  const kept = typed.before && keptOverride(typed.before, unit)
  if (!kept || typed.renewed.includes(unit)) return typed
  return { ...typed, ...(hasTerms(typed) ? {} : termsOf(kept)), renewed: [...typed.renewed, unit] }
}

/** Leaves them as they are after all. */
export const withoutRenewal = (typed: TypedPerson, unit: Unit): TypedPerson => {
  const renewed = typed.renewed.filter((one) => one !== unit)
  const untouched = typed.renewed.length === 1 && openRenewals(typed).length === 1 && renewals(typed).length === 0
  return { ...typed, renewed, ...(untouched && { overrideReason: '', overrideUntil: '' }) }
}

/** Whether there is something to lose. */
export const isDirty = (typed: TypedPerson): boolean =>
  changedUnits(typed.form, typed.opened).length > 0 || (openRenewals(typed).length > 0 ? renewals(typed).length > 0 : hasTerms(typed))

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
export const inputFor = (typed: TypedPerson, { overrides, claims, phone }: InputParts): UserInput => {
  const { before, form, phoneCountry, overrideReason, overrideUntil } = typed
  const tidy = withTidyDates(withoutHiddenContact(form, before), claims)
  const written = phone === null ? tidy : { ...tidy, phoneNumber: phone }
  if (!before) {
    const phonePrefix = PHONE_COUNTRIES.find(({ country }) => country === phoneCountry)?.prefix
    return inputOf(written, { mode: 'create', phonePrefix })
  }
  const input = inputOf(written, { mode: 'edit', before })
  const renewed = [...new Set(renewals(typed).map(({ kept }) => kept.field))]
  const until = wireDate(tidyDate(overrideUntil))
  // of what is renewed, empty clears
  if (renewed.length > 0)
    return { ...input, renewedOverrides: renewed, overrideReason: overrideReason.trim() || null, overrideUntil: until }
  if (!overrides) return input
  return {
    ...input,
    ...(overrideReason.trim() && { overrideReason: overrideReason.trim() }),
    ...(until && { overrideUntil: until }),
  }
}
