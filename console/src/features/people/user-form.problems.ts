/** What keeps the form of a person from being saved. Pure. */
import { cleanText, isNumber, readField } from '@instep/contract/field-values.ts'
import { readFormDate } from '@instep/contract/form-dates.ts'
import { prefixProblem } from '@instep/contract/id-prefix.ts'
import type { ClaimField } from '@instep/contract/settings.ts'
import { longestOf, MAX_TEXT, USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import type { UserForm } from '@instep/contract/user-form.ts'
import { isTimeZone } from '../../shared/time-zones.ts'
import { contactOf, REQUIRED_UNITS } from './user-form.rules.ts'
import { claimIdOf, DATE_UNITS, PLAIN_UNITS, type Reference, readUnit, sameValue, type Unit } from './user-form.units.ts'

export type FieldProblem =
  | 'enter'
  | 'select'
  | 'selectDate'
  | 'noDate'
  | 'askDate'
  | 'email'
  | 'phone'
  | 'number'
  | 'timeZone'
  | 'characters'
  | 'tooLong'
  | NonNullable<ReturnType<typeof prefixProblem>>
export type FormKey = Unit | 'overrideReason' | 'overrideUntil'

export interface Checked {
  readonly form: UserForm
  /** As it was opened; null while a person is being created. What was not touched is not found fault with. */
  readonly opened: UserForm | null
  /** Whether what was empty at the opening may stay so: the source owns the person. */
  readonly sourced: boolean
  readonly siteRequired: boolean
  readonly isEditable: (unit: Unit) => boolean
  /** The security attributes that are shown. */
  readonly claims: readonly Pick<ClaimField, 'id' | 'type'>[]
  /** Whether a number is one, with its country where it does not say it itself; undefined while the reader loads. */
  readonly isPhone: ((number: string) => boolean) | undefined
  readonly overrideReason: string
  readonly overrideUntil: string
}

const ENTERED = new Set<Unit>(['externalId', 'givenName', 'familyName', 'email', 'phoneNumber', 'manager'])

const missing = (unit: Unit): FieldProblem => (unit === 'startDate' ? 'selectDate' : ENTERED.has(unit) ? 'enter' : 'select')

const textIn = (form: UserForm, unit: Unit): string => {
  const value = readUnit(form, unit)
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? (value as Reference).value : ''
}

/** Units that the form asks for now. */
export const requiredUnits = ({
  form,
  opened,
  sourced,
  siteRequired,
  isEditable,
}: Omit<Checked, 'claims' | 'isPhone' | 'overrideReason' | 'overrideUntil'>): Set<Unit> => {
  const contact = contactOf(form)
  const asked: Unit[] = [...REQUIRED_UNITS, ...(siteRequired ? (['siteId'] as const) : []), ...(contact ? [contact] : [])]
  // whoever chooses another delivery says where it goes; what the source has never given is not insisted on
  const chosen = (unit: Unit) => unit === contact && opened?.accessCodeDelivery !== form.accessCodeDelivery
  const given = (unit: Unit) => !sourced || opened === null || chosen(unit) || textIn(opened, unit) !== ''
  const required = new Set<Unit>(asked.filter((unit) => isEditable(unit) && given(unit)))
  if (form.managerReferenceType !== null && isEditable('manager')) required.add('manager')
  return required
}

const dateProblem = (text: string): FieldProblem | undefined => {
  if (text.trim() === '') return undefined
  const read = readFormDate(text)
  return 'ask' in read ? 'askDate' : 'impossible' in read ? 'noDate' : undefined
}

const longest = (unit: Unit): number => (Object.hasOwn(USER_FIELDS, unit) ? longestOf(unit as UserFieldName) : MAX_TEXT)

const textProblem = (text: string, most: number): FieldProblem | undefined => {
  const clean = cleanText(text)
  if (clean === undefined) return 'characters'
  return [...clean].length > most ? 'tooLong' : undefined
}

const isEmail = (text: string): boolean => !('wrong' in readField('workEmail', text.trim()))

const formatProblem = (unit: Unit, { form, claims, isPhone }: Checked): FieldProblem | undefined => {
  const text = textIn(form, unit)
  if (text.trim() === '') return undefined
  const wrong = textProblem(text, longest(unit))
  if (wrong) return wrong
  if (unit === 'employeeIdPrefix') return prefixProblem(text.trim())
  if (DATE_UNITS.some((date) => date === unit)) return dateProblem(text)
  const claim = claims.find(({ id }) => id === claimIdOf(unit))
  if (claim?.type === 'date') return dateProblem(text)
  if (claim?.type === 'numeric') return isNumber(text.trim()) ? undefined : 'number'
  if (unit === 'timezone') return isTimeZone(text.trim()) ? undefined : 'timeZone'
  if (unit === 'phoneNumber') return isPhone && !isPhone(text) ? 'phone' : undefined
  const byEmail =
    unit === 'email' ||
    unit === 'leader' ||
    (unit === 'manager' && form.managerReferenceType === 'email') ||
    (unit === 'approver' && form.approver.referenceType === 'email')
  return byEmail && !isEmail(text) ? 'email' : undefined
}

/** An input that the form does not show is not found fault with. */
const isHidden = (unit: Unit, form: UserForm): boolean => (unit === 'email' || unit === 'phoneNumber') && contactOf(form) !== unit

/** What is wrong, by input, in the order of the form. */
export const problemsOf = (checked: Checked): Map<FormKey, FieldProblem> => {
  const { form, opened, claims, isEditable, overrideReason, overrideUntil } = checked
  const required = requiredUnits(checked)
  const problems = new Map<FormKey, FieldProblem>()
  const units: Unit[] = [...PLAIN_UNITS, ...claims.map(({ id }) => `claim.${id}` as const)]
  for (const unit of units) {
    const empty = unit === 'siteId' ? form.siteId === null : textIn(form, unit).trim() === ''
    const untouched = opened !== null && sameValue(readUnit(form, unit), readUnit(opened, unit))
    const problem =
      empty && required.has(unit)
        ? missing(unit)
        : untouched || !isEditable(unit) || isHidden(unit, form)
          ? undefined
          : formatProblem(unit, checked)
    if (problem) problems.set(unit, problem)
  }
  const reason = textProblem(overrideReason, 1000)
  if (reason) problems.set('overrideReason', reason)
  const until = dateProblem(overrideUntil)
  if (until) problems.set('overrideUntil', until)
  return problems
}
