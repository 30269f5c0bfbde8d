/**
 * Where each field of a person stands in the documented API shape (1-console.md section 3): the one mapping table between the two. Pure.
 * What a shape does not name is left alone; null clears.
 */
import type { UserInput } from './user-edits.ts'
import { type UserFieldName, userFieldNames } from './user-fields.ts'
import type { User } from './users.ts'

/** The fields of a person by name; null where there is no value. */
export type UserFields = Record<UserFieldName, string | null>

/** `at`: a plain member; `list`: the entry of that type; `reference`: one half of a reference to another person. */
type Place =
  | { readonly at: readonly [string] | readonly ['name' | 'enterprise' | 'extension', string] }
  | { readonly list: 'emails' | 'phoneNumbers'; readonly type: 'work' | 'personal' }
  | { readonly address: 'formatted' | 'locality' | 'country' }
  | { readonly reference: 'manager' | 'approver' | 'leader'; readonly half: 'value' | 'referenceType' }

export const API_PLACES: Readonly<Record<UserFieldName, Place>> = {
  externalId: { at: ['externalId'] },
  employeeNumber: { at: ['enterprise', 'employeeNumber'] },
  givenName: { at: ['name', 'givenName'] },
  familyName: { at: ['name', 'familyName'] },
  displayName: { at: ['displayName'] },
  userName: { at: ['userName'] },
  externalReferenceId: { at: ['externalReferenceId'] },
  workEmail: { list: 'emails', type: 'work' },
  personalEmail: { list: 'emails', type: 'personal' },
  workPhone: { list: 'phoneNumbers', type: 'work' },
  personalPhone: { list: 'phoneNumbers', type: 'personal' },
  preferredLanguage: { at: ['preferredLanguage'] },
  locale: { at: ['locale'] },
  timezone: { at: ['timezone'] },
  userType: { at: ['userType'] },
  title: { at: ['title'] },
  department: { at: ['enterprise', 'department'] },
  division: { at: ['enterprise', 'division'] },
  organization: { at: ['enterprise', 'organization'] },
  costCenter: { at: ['enterprise', 'costCenter'] },
  locationName: { address: 'formatted' },
  locality: { address: 'locality' },
  country: { address: 'country' },
  manager: { reference: 'manager', half: 'value' },
  managerReferenceType: { reference: 'manager', half: 'referenceType' },
  approver: { reference: 'approver', half: 'value' },
  approverReferenceType: { reference: 'approver', half: 'referenceType' },
  leader: { reference: 'leader', half: 'value' },
  startDate: { at: ['startDate'] },
  endDate: { at: ['endDate'] },
  accessCodeDelivery: { at: ['extension', 'accessCodeDelivery'] },
  gender: { at: ['extension', 'gender'] },
  employmentType: { at: ['extension', 'employmentType'] },
  dateOfBirth: { at: ['extension', 'dateOfBirth'] },
  customField1: { at: ['extension', 'customField1'] },
  customField2: { at: ['extension', 'customField2'] },
  externalPartnerCompany: { at: ['extension', 'externalPartnerCompany'] },
  externalIdPrefix: { at: ['extension', 'externalIdPrefix'] },
}

/** How a field is named in the API shape, `enterprise.department` or `emails.work`: the key that a refusal of its value stands under. */
export const pathOf = (field: UserFieldName): string => {
  const place = API_PLACES[field]
  if ('at' in place) return place.at.join('.')
  if ('list' in place) return `${place.list}.${place.type}`
  if ('address' in place) return `addresses.${place.address}`
  return place.half === 'value' ? `enterprise.${place.reference}` : `enterprise.${place.reference}.referenceType`
}

type Part = Readonly<Record<string, unknown>>
type Reference = User['enterprise']['manager']

/** An entry's type as it is kept: a mobile number is a personal one. */
const keptType = (type: string): string => (type === 'mobile' ? 'personal' : type)

const memberOf = (shape: Part, path: readonly string[]): unknown => {
  const [first = '', second] = path
  if (second === undefined) return shape[first]
  const part = shape[first] as Part | null | undefined
  return part?.[second]
}

const readPlace = (shape: UserInput, place: Place): unknown => {
  if ('at' in place) return memberOf(shape as Part, place.at)
  if ('list' in place) {
    const entries = shape[place.list]
    if (entries === undefined) return undefined
    return entries?.find(({ type }) => keptType(type) === place.type)?.value ?? null
  }
  if ('address' in place) {
    if (shape.addresses === undefined) return undefined
    const [address] = shape.addresses ?? []
    return address ? address[place.address] : null
  }
  const reference = shape.enterprise?.[place.reference]
  if (reference === undefined) return undefined
  return reference?.[place.half] ?? null
}

// written at both places, the top level wins
const DATES = ['startDate', 'endDate'] as const

/** The fields that a shape names, each as it was written; what the shape leaves out is left out. */
export const fieldsOf = (shape: UserInput): Partial<UserFields> => {
  const fields: Partial<UserFields> = {}
  for (const field of userFieldNames) {
    const value = readPlace(shape, API_PLACES[field])
    if (value !== undefined) fields[field] = value as string | null
  }
  for (const field of DATES) {
    const inner = shape.extension?.[field]
    if (fields[field] === undefined && inner !== undefined) fields[field] = inner
  }
  return fields
}

/** Work first: the work value is the primary one, the personal one where there is no other. */
const contacts = (work: string | null, personal: string | null) => [
  ...(work === null ? [] : [{ value: work, type: 'work' as const, primary: true }]),
  ...(personal === null ? [] : [{ value: personal, type: 'personal' as const, primary: work === null }]),
]

type ReferenceType = NonNullable<Reference>['referenceType']

/** How a reference is to be read where nobody says so: what holds an @ is an e-mail address, anything else an external id. */
export const usualReading = (value: string): ReferenceType => (value.includes('@') ? 'email' : 'externalId')

const reference = (value: string | null, type: string | null): Reference =>
  value === null ? null : { value, referenceType: (type ?? usualReading(value)) as ReferenceType }

const addressOf = ({ locationName, locality, country }: UserFields): User['addresses'] =>
  locationName === null && locality === null && country === null
    ? []
    : [{ formatted: locationName, type: 'work', primary: true, locality, country }]

/** The members of the API shape that hold a person's fields. */
export type FieldShape = Pick<
  User,
  | 'externalId'
  | 'externalReferenceId'
  | 'userName'
  | 'userType'
  | 'displayName'
  | 'title'
  | 'preferredLanguage'
  | 'locale'
  | 'timezone'
  | 'startDate'
  | 'endDate'
  | 'name'
  | 'phoneNumbers'
  | 'emails'
  | 'addresses'
  | 'enterprise'
> & { readonly extension: Omit<User['extension'], 'claimFields'> }

/** A person's fields in the API shape. */
export const shapeOf = (fields: UserFields): FieldShape => ({
  externalId: fields.externalId ?? '',
  externalReferenceId: fields.externalReferenceId,
  userName: fields.userName,
  userType: fields.userType,
  displayName: fields.displayName ?? '',
  title: fields.title,
  preferredLanguage: fields.preferredLanguage,
  locale: fields.locale,
  timezone: fields.timezone,
  startDate: fields.startDate,
  endDate: fields.endDate,
  name: {
    formatted: `${fields.givenName ?? ''} ${fields.familyName ?? ''}`,
    familyName: fields.familyName ?? '',
    givenName: fields.givenName ?? '',
  },
  phoneNumbers: contacts(fields.workPhone, fields.personalPhone),
  emails: contacts(fields.workEmail, fields.personalEmail),
  addresses: addressOf(fields),
  enterprise: {
    employeeNumber: fields.employeeNumber,
    costCenter: fields.costCenter,
    organization: fields.organization,
    division: fields.division,
    department: fields.department,
    leader: fields.leader === null ? null : { value: fields.leader, referenceType: 'email' },
    manager: reference(fields.manager, fields.managerReferenceType),
    approver: reference(fields.approver, fields.approverReferenceType),
  },
  extension: {
    startDate: fields.startDate,
    endDate: fields.endDate,
    accessCodeDelivery: (fields.accessCodeDelivery ?? 'none') as User['extension']['accessCodeDelivery'],
    externalIdPrefix: fields.externalIdPrefix,
    gender: fields.gender,
    employmentType: fields.employmentType,
    dateOfBirth: fields.dateOfBirth,
    customField1: fields.customField1,
    customField2: fields.customField2,
    externalPartnerCompany: fields.externalPartnerCompany,
  },
})
