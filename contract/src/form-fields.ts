/** Which input of the form stands for which field of a person. Pure. */

import { USER_FIELDS, type UserFieldName, userFieldNames } from './user-fields.ts'
import type { Delivery, UserForm } from './user-form.ts'
import { pathOf } from './user-shape.ts'
import type { EditableField } from './users.ts'

type FormField = keyof UserForm

/** Fields whose input has another name, or that have none. */
const OTHERS: Partial<Record<UserFieldName, FormField | null>> = {
  employeeNumber: null,
  userName: null,
  externalReferenceId: null,
  workPhone: null,
  workEmail: 'email',
  personalEmail: 'email',
  personalPhone: 'phoneNumber',
  approverReferenceType: 'approver',
  externalIdPrefix: 'employeeIdPrefix',
}

const isUserField = (name: string): name is UserFieldName => Object.hasOwn(USER_FIELDS, name)

/** The input that shows a field of a person; undefined where the form has none for it. */
export const formFieldFor = (field: EditableField, delivery: Delivery): FormField | undefined => {
  if (!isUserField(field)) return field
  if (field === (delivery === 'email.work' ? 'personalEmail' : 'workEmail')) return undefined
  const other = OTHERS[field]
  return other === null ? undefined : (other ?? (field as FormField))
}

/** The input that a refusal of the server belongs to, by the key it stands under (`enterprise.department`, `emails.0.value`); undefined for none. */
export const formFieldAt = (path: string): FormField | undefined => {
  const [first = '', second = '', third] = path.split('.')
  if (first === 'emails') return 'email'
  if (first === 'phoneNumbers') return 'phoneNumber'
  if (first === 'active' || first === 'siteId') return first
  if (first === 'extension' && second === 'claimFields') return 'claimFields'
  if (first === 'extension' && (second === 'startDate' || second === 'endDate')) return second
  const wanted = first === 'addresses' && third !== undefined ? `addresses.${third}` : path
  const field =
    userFieldNames.find((name) => pathOf(name) === wanted) ?? userFieldNames.find((name) => pathOf(name) === `${first}.${second}`)
  return field && formFieldFor(field, 'none')
}
