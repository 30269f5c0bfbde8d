import type { UserFieldName } from '@instep/contract/user-fields.ts'
import type { EditableField } from '@instep/contract/users.ts'

type Field = Exclude<EditableField, 'siteId'>

/** Key of the API shape → the form field it stands for, or its leaves (decisions.md section 9, Users). */
export const OVERRIDE_KEYS: Readonly<Record<string, Field | Readonly<Record<string, Field>>>> = {
  name: { givenName: 'givenName', familyName: 'familyName', displayName: 'displayName' },
  title: 'title',
  organization: 'organization',
  externalId: 'externalId',
  manager: { value: 'manager', referenceType: 'managerReferenceType' },
  approver: { value: 'approver', referenceType: 'approverReferenceType' },
  active: 'active',
  addresses: { formatted: 'locationName', locality: 'locality', country: 'country' },
  division: 'division',
  phoneNumber: { work: 'workPhone', personal: 'personalPhone' },
  department: 'department',
  costCenter: 'costCenter',
  startDate: 'startDate',
  endDate: 'endDate',
  email: { work: 'workEmail', personal: 'personalEmail' },
  preferredLanguage: 'preferredLanguage',
  accessCodeDelivery: 'accessCodeDelivery',
  claimFields: 'claimFields',
}

/** A reference to another person is one value: its text and how it is to be read. */
export const REFERENCE_HALVES: Partial<Record<UserFieldName, UserFieldName>> = {
  manager: 'managerReferenceType',
  managerReferenceType: 'manager',
  approver: 'approverReferenceType',
  approverReferenceType: 'approver',
}

const FIELDS = new Set<string>(
  Object.values(OVERRIDE_KEYS).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry))),
)

const withOtherHalf = (field: Field): Field[] => {
  const other = REFERENCE_HALVES[field as UserFieldName]
  return other ? [field, other] : [field]
}

/** Whether what stands under a key is told leaf by leaf. */
export const hasLeaves = (key: string): boolean => Object.hasOwn(OVERRIDE_KEYS, key) && typeof OVERRIDE_KEYS[key] === 'object'

/** The fields that a key names: `name` all its leaves, `name.givenName` one, a field of the form model itself; undefined for a key that names none. */
export const fieldsOfKey = (key: string): Field[] | undefined => {
  const [first = '', leaf] = key.split('.')
  const entry = Object.hasOwn(OVERRIDE_KEYS, first) ? OVERRIDE_KEYS[first] : undefined
  if (typeof entry === 'object' && leaf === undefined) return Object.values(entry)
  if (typeof entry === 'object' && leaf !== undefined && Object.hasOwn(entry, leaf)) return withOtherHalf(entry[leaf] as Field)
  if (leaf === undefined && FIELDS.has(key)) return withOtherHalf(key as Field)
  return undefined
}
