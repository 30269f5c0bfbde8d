/** What an edit of somebody from a source sets over the source's values, and what it gives back. Pure. */

import { formDate } from '@instep/contract/form-dates.ts'
import { formFieldFor } from '@instep/contract/form-fields.ts'
import { type Delivery, emailType, formOf, type ReferenceType, type UserForm } from '@instep/contract/user-form.ts'
import { usualReading } from '@instep/contract/user-shape.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { withDelivery } from './user-form.rules.ts'
import { changedUnits, DATE_UNITS, readUnit, sameValue, type Unit, writeUnit } from './user-form.units.ts'

type Overridden = UserDetails['overridden'][number]

/** Whether a person comes from a source, which then owns the values: only where somebody works is never changed by hand there. */
export const isSourced = ({ editable }: Pick<UserDetails, 'editable'>): boolean => !editable.includes('siteId')

const REFERENCES: Readonly<Record<string, Unit>> = { managerReferenceType: 'manager', approverReferenceType: 'approver' }

/** The unit of the form that a field of a person is part of; undefined where the form has none for it. */
export const unitOfField = (field: string, delivery: Delivery): Unit | undefined =>
  REFERENCES[field] ?? (formFieldFor(field as Parameters<typeof formFieldFor>[0], delivery) as Unit | undefined)

const isDate = (field: string): boolean => DATE_UNITS.some((unit) => unit === field)

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** One overridden field put back to what the source says. */
const putBack = (form: UserForm, { field, base }: Overridden, user: UserDetails): UserForm => {
  const text = textOf(base)
  if (field === 'active') return { ...form, active: base !== false }
  if (field === 'claimFields') return { ...form, claimFields: (base ?? {}) as Record<string, string> }
  if (field === 'accessCodeDelivery') return withDelivery(form, (text || 'none') as Delivery, user)
  if (field === 'manager') return { ...form, manager: text }
  if (field === 'managerReferenceType') return { ...form, managerReferenceType: (text || null) as ReferenceType | null }
  if (field === 'approver') return { ...form, approver: { ...form.approver, value: text } }
  if (field === 'approverReferenceType')
    return { ...form, approver: { ...form.approver, referenceType: (text || null) as ReferenceType | null } }
  const unit = unitOfField(field, form.accessCodeDelivery)
  return unit ? writeUnit(form, unit, isDate(field) ? formDate(text || null) : text) : form
}

// the e-mail input follows the delivery, so that comes first; a derived name follows the names
const ORDER = ['accessCodeDelivery', 'givenName', 'familyName']
const rank = (field: string): number => {
  const at = ORDER.indexOf(field)
  return at === -1 ? ORDER.length : at
}

/** A reference as the source gives it, which need not say how it is to be read. */
const wholeReference = <Part extends { value: string; referenceType: ReferenceType | null }>(reference: Part): Part => ({
  ...reference,
  referenceType: reference.value === '' ? null : (reference.referenceType ?? usualReading(reference.value)),
})

/** The form as the source would fill it in. */
export const sourceForm = (user: UserDetails): UserForm => {
  const inOrder = user.overridden.toSorted((one, other) => rank(one.field) - rank(other.field))
  const form = inOrder.reduce((before, overridden) => putBack(before, overridden, user), formOf(user))
  const manager = wholeReference({ value: form.manager, referenceType: form.managerReferenceType })
  const displayName = form.displayName || `${form.givenName} ${form.familyName}`
  return { ...form, displayName, managerReferenceType: manager.referenceType, approver: wholeReference(form.approver) }
}

/** The source's form as it stands beside this one: the e-mail input of both is of the same address, whatever delivery each has. */
export const sourceBeside = ({ accessCodeDelivery }: UserForm, source: UserForm, user: UserDetails): UserForm => {
  const type = emailType(accessCodeDelivery)
  const said = user.overridden.find(({ field }) => field === `${type}Email`)
  return { ...source, email: said ? textOf(said.base) : (user.emails.find((one) => one.type === type)?.value ?? '') }
}

/** Units that saving the form would newly set over the source: neither as they were opened nor as the source has them. */
export const newOverrides = (form: UserForm, { opened, source }: { opened: UserForm; source: UserForm }): Unit[] =>
  changedUnits(form, opened).filter((unit) => !sameValue(readUnit(form, unit), readUnit(source, unit)))

/** A unit put back to what the source says. */
export const restoreUnit = (form: UserForm, source: UserForm, unit: Unit): UserForm => {
  if (unit !== 'accessCodeDelivery') return writeUnit(form, unit, readUnit(source, unit))
  return { ...form, accessCodeDelivery: source.accessCodeDelivery, email: source.email }
}

/** The kept override of a unit, with who set it; undefined where the unit has none. */
export const keptOverride = (user: UserDetails, unit: Unit): Overridden | undefined =>
  user.overridden.find(({ field }) =>
    unit.startsWith('claim.') ? field === 'claimFields' : unitOfField(field, user.extension.accessCodeDelivery) === unit,
  )

/** Whether an edit may change the unit. */
export const isEditableUnit = (user: UserDetails, unit: Unit, delivery: Delivery): boolean => {
  if (unit.startsWith('claim.')) return user.editable.includes('claimFields')
  return user.editable.some((field) => unitOfField(field, delivery) === unit)
}

/** The override of a field of the profile, of a security attribute (`claimFields.<id>`) where it names that one; undefined for none. */
export const overrideOf = ({ overridden }: Pick<UserDetails, 'overridden'>, name: string): Overridden | undefined => {
  const [field, id] = name.split('.')
  const found = overridden.find((one) => one.field === field)
  return found && (id === undefined || Object.hasOwn(Object(found.value), id)) ? found : undefined
}
