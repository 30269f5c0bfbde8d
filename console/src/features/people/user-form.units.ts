/**
 * The parts of the form that are edited, overridden, restored and merged as one: a reference is its value and its type together, a security
 * attribute stands by itself (`claim.<id>`). Pure.
 */
import type { ReferenceType, UserForm } from '@instep/contract/user-form.ts'

/** In the order of the form. */
export const PLAIN_UNITS = [
  'active',
  'siteId',
  'employeeIdPrefix',
  'externalId',
  'givenName',
  'familyName',
  'displayName',
  'preferredLanguage',
  'startDate',
  'accessCodeDelivery',
  'email',
  'phoneNumber',
  'locationName',
  'department',
  'title',
  'division',
  'organization',
  'manager',
  'approver',
  'leader',
  'costCenter',
  'userType',
  'employmentType',
  'locality',
  'country',
  'gender',
  'dateOfBirth',
  'endDate',
  'customField1',
  'customField2',
  'externalPartnerCompany',
  'locale',
  'timezone',
] as const
type PlainUnit = (typeof PLAIN_UNITS)[number]
export type Unit = PlainUnit | `claim.${string}`

/** Units that are one text. */
export type TextUnit = Exclude<PlainUnit, 'active' | 'siteId' | 'accessCodeDelivery' | 'manager' | 'approver'>

export interface Reference {
  readonly value: string
  readonly referenceType: ReferenceType | null
}

/** What a unit holds: a text, a switch, a reference, or no site. */
export type UnitValue = string | boolean | Reference | null

export const DATE_UNITS = ['startDate', 'endDate', 'dateOfBirth'] as const satisfies readonly TextUnit[]

/** The id of the security attribute that a unit is; undefined for the others. */
export const claimIdOf = (unit: Unit): string | undefined => (unit.startsWith('claim.') ? unit.slice('claim.'.length) : undefined)

export const readUnit = (form: UserForm, unit: Unit): UnitValue => {
  const claim = claimIdOf(unit)
  if (claim !== undefined) return form.claimFields[claim] ?? ''
  if (unit === 'manager') return { value: form.manager, referenceType: form.managerReferenceType }
  return form[unit as Exclude<PlainUnit, 'manager'>]
}

export const writeUnit = (form: UserForm, unit: Unit, value: UnitValue): UserForm => {
  const claim = claimIdOf(unit)
  if (claim !== undefined) return { ...form, claimFields: { ...form.claimFields, [claim]: String(value) } }
  if (unit !== 'manager') return { ...form, [unit]: value }
  const { value: manager, referenceType: managerReferenceType } = value as Reference
  return { ...form, manager, managerReferenceType }
}

const tidy = (value: UnitValue): UnitValue => (typeof value === 'string' ? value.trim() : value)

export const sameValue = (one: UnitValue, other: UnitValue): boolean => JSON.stringify(tidy(one)) === JSON.stringify(tidy(other))

/** Every unit of these forms. */
const unitsOf = (...forms: readonly UserForm[]): Unit[] => [
  ...PLAIN_UNITS,
  ...[...new Set(forms.flatMap((form) => Object.keys(form.claimFields)))].map((id) => `claim.${id}` as const),
]

/** Units that are not the same in both forms. */
export const changedUnits = (now: UserForm, then: UserForm): Unit[] =>
  unitsOf(now, then).filter((unit) => !sameValue(readUnit(now, unit), readUnit(then, unit)))
