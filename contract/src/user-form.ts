/**
 * The flat form model of a person (1-console.md section 3) and the API shape, each from the other. Pure. Empty texts are '', dates are `DD/MM/YYYY`.
 */
import { changedMembers } from './changed-members.ts'
import { cleanText } from './field-values.ts'
import { formDate, wireDate } from './form-dates.ts'
import { withPhonePrefix } from './phone-prefix.ts'
import type { UserInput } from './user-edits.ts'
import { SCHEMA_ID } from './user-fields.ts'
import type { User } from './users.ts'

export type Delivery = User['extension']['accessCodeDelivery']
export type ReferenceType = NonNullable<User['enterprise']['manager']>['referenceType']

export interface UserForm {
  /** Null while the person is being created. */
  id: string | null
  connectorId: string
  siteId: string | null
  schemaId: string
  tenantId: string
  givenName: string
  familyName: string
  /** Given and family name unless something else is written here. */
  displayName: string
  externalId: string
  preferredLanguage: string
  locationName: string
  locked: boolean
  manager: string
  managerReferenceType: ReferenceType | null
  startDate: string
  endDate: string
  accessCodeDelivery: Delivery
  active: boolean
  extension: { externalIdPrefix: string }
  /** The work e-mail address of somebody who gets the code there, the personal one of anybody else. */
  email: string
  /** The personal phone; while creating, without the country's prefix. */
  phoneNumber: string
  department: string
  title: string
  organization: string
  division: string
  /** Put in front of the external id when the person is created. */
  employeeIdPrefix: string
  userType: string
  ssoData: User['ssoData']
  /** By field of the API shape, as the server told them; one that is set to null here goes back to what the source says. */
  overrides: Record<string, unknown>
  costCenter: string
  approver: { value: string; referenceType: ReferenceType | null }
  locality: string
  country: string
  gender: string
  employmentType: string
  dateOfBirth: string
  customField1: string
  customField2: string
  externalPartnerCompany: string
  /** An e-mail address. */
  leader: string
  /** Custom security attributes by the id of the attribute, as they are kept: dates as `YYYY-MM-DD`. */
  claimFields: Record<string, string>
}

/** Where a person is about to be created. */
export interface NewPlace {
  readonly tenantId: string
  readonly connectorId: string
  readonly siteId: string | null
}

/** The form of somebody who is not there yet: active, nothing filled in. */
export const newForm = ({ tenantId, connectorId, siteId }: NewPlace): UserForm => ({
  id: null,
  connectorId,
  siteId,
  schemaId: SCHEMA_ID,
  tenantId,
  givenName: '',
  familyName: '',
  displayName: '',
  externalId: '',
  preferredLanguage: '',
  locationName: '',
  locked: false,
  manager: '',
  managerReferenceType: null,
  startDate: '',
  endDate: '',
  accessCodeDelivery: 'none',
  active: true,
  extension: { externalIdPrefix: '' },
  email: '',
  phoneNumber: '',
  department: '',
  title: '',
  organization: '',
  division: '',
  employeeIdPrefix: '',
  userType: '',
  ssoData: null,
  overrides: {},
  costCenter: '',
  approver: { value: '', referenceType: null },
  locality: '',
  country: '',
  gender: '',
  employmentType: '',
  dateOfBirth: '',
  customField1: '',
  customField2: '',
  externalPartnerCompany: '',
  leader: '',
  claimFields: {},
})

const emailType = (delivery: Delivery) => (delivery === 'email.work' ? 'work' : 'personal')

const valueAt = (entries: readonly { value: string; type: string }[], wanted: string): string =>
  entries.find(({ type }) => type === wanted)?.value ?? ''

const contactsOf = ({ emails, phoneNumbers, extension }: User) => ({
  accessCodeDelivery: extension.accessCodeDelivery,
  email: valueAt(emails, emailType(extension.accessCodeDelivery)),
  phoneNumber: valueAt(phoneNumbers, 'personal'),
})

const workOf = ({ title, addresses, enterprise, userType }: User) => ({
  title: title ?? '',
  userType: userType ?? '',
  department: enterprise.department ?? '',
  division: enterprise.division ?? '',
  organization: enterprise.organization ?? '',
  costCenter: enterprise.costCenter ?? '',
  manager: enterprise.manager?.value ?? '',
  managerReferenceType: enterprise.manager?.referenceType ?? null,
  approver: { value: enterprise.approver?.value ?? '', referenceType: enterprise.approver?.referenceType ?? null },
  leader: enterprise.leader?.value ?? '',
  locationName: addresses[0]?.formatted ?? '',
  locality: addresses[0]?.locality ?? '',
  country: addresses[0]?.country ?? '',
})

const extensionOf = ({ extension }: User) => ({
  extension: { externalIdPrefix: extension.externalIdPrefix ?? '' },
  employeeIdPrefix: extension.externalIdPrefix ?? '',
  gender: extension.gender ?? '',
  employmentType: extension.employmentType ?? '',
  dateOfBirth: formDate(extension.dateOfBirth),
  customField1: extension.customField1 ?? '',
  customField2: extension.customField2 ?? '',
  externalPartnerCompany: extension.externalPartnerCompany ?? '',
  claimFields: extension.claimFields,
})

/** A person as the form shows them. */
export const formOf = (user: User): UserForm => ({
  id: user.id,
  connectorId: user.connectorId,
  siteId: user.siteId,
  schemaId: user.schemaId,
  tenantId: user.tenantId,
  externalId: user.externalId,
  givenName: user.name.givenName,
  familyName: user.name.familyName,
  displayName: user.displayName,
  preferredLanguage: user.preferredLanguage ?? '',
  startDate: formDate(user.startDate),
  endDate: formDate(user.endDate),
  active: user.active,
  locked: user.locked,
  ssoData: user.ssoData,
  overrides: user.overrides,
  ...contactsOf(user),
  ...workOf(user),
  ...extensionOf(user),
})

const clean = (text: string): string => cleanText(text) ?? text

/** The form with line breaks stripped and texts trimmed, at any depth. */
const cleaned = <Value>(value: Value): Value => {
  if (typeof value === 'string') return clean(value) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)])) as Value
}

const orNull = (text: string): string | null => (text === '' ? null : text)

/** Without a value or a type there is no reference. */
const referenceOf = (value: string, referenceType: ReferenceType | null) =>
  value === '' || referenceType === null ? null : { value, referenceType }

interface Contact<Type extends string> {
  readonly value: string
  readonly type: Type
}

/** The entries of a list with the one of this type replaced, or taken out where there is no value. */
const withContact = <Type extends string>(entries: readonly Contact<Type>[], type: Type, value: string): Contact<Type>[] => [
  ...entries.filter((entry) => entry.type !== type).map((entry) => ({ value: entry.value, type: entry.type })),
  ...(value === '' ? [] : [{ value, type }]),
]

const derivedName = (given: string, family: string): string => `${given} ${family}`

/** Null where given and family name make it: nothing was written, or it was made of the names as they were before. */
const displayNameOf = ({ displayName }: UserForm, before: User | undefined): string | null => {
  if (displayName === '') return null
  const wasDerived = before && before.displayName === derivedName(before.name.givenName, before.name.familyName)
  return wasDerived && displayName === before.displayName ? null : displayName
}

const enterpriseOf = (form: UserForm) => ({
  department: orNull(form.department),
  division: orNull(form.division),
  organization: orNull(form.organization),
  costCenter: orNull(form.costCenter),
  manager: referenceOf(form.manager, form.managerReferenceType),
  approver: referenceOf(form.approver.value, form.approver.referenceType),
  leader: referenceOf(form.leader, 'email'),
})

const extensionInput = (form: UserForm, claimFields: UserForm['claimFields']) => ({
  accessCodeDelivery: form.accessCodeDelivery,
  externalIdPrefix: orNull(form.employeeIdPrefix),
  gender: orNull(form.gender),
  employmentType: orNull(form.employmentType),
  dateOfBirth: wireDate(form.dateOfBirth),
  customField1: orNull(form.customField1),
  customField2: orNull(form.customField2),
  externalPartnerCompany: orNull(form.externalPartnerCompany),
  claimFields: Object.fromEntries(
    [...new Set([...Object.keys(claimFields), ...Object.keys(form.claimFields)])].map((id) => [id, orNull(form.claimFields[id] ?? '')]),
  ),
})

type WholeInput = Required<
  Omit<
    UserInput,
    'externalReferenceId' | 'userName' | 'locale' | 'timezone' | 'overrides' | 'renewedOverrides' | 'overrideReason' | 'overrideUntil'
  >
>

const wholeInput = (form: UserForm, before: User | undefined): WholeInput => ({
  externalId: form.externalId,
  siteId: form.siteId,
  userType: orNull(form.userType),
  active: form.active,
  displayName: displayNameOf(form, before),
  title: orNull(form.title),
  preferredLanguage: orNull(form.preferredLanguage),
  startDate: wireDate(form.startDate),
  endDate: wireDate(form.endDate),
  name: { givenName: form.givenName, familyName: form.familyName },
  phoneNumbers: withContact(before?.phoneNumbers ?? [], 'personal', form.phoneNumber),
  emails: withContact(before?.emails ?? [], emailType(form.accessCodeDelivery), form.email),
  addresses: [{ formatted: orNull(form.locationName), locality: orNull(form.locality), country: orNull(form.country) }],
  enterprise: enterpriseOf(form),
  extension: extensionInput(form, before?.extension.claimFields ?? {}),
})

/** What was overridden and is to go back to what the source says. */
const restored = (form: UserForm, before: User): Record<string, null> =>
  Object.fromEntries(
    Object.entries(before.overrides).flatMap(([key, value]) => (value !== null && form.overrides[key] === null ? [[key, null]] : [])),
  )

export interface InputOptions {
  readonly mode: 'create' | 'edit'
  /** Of an edit: the person as the form was opened with. */
  readonly before?: User | undefined
  /** The country's prefix that is put in front of a phone number when a person is created, `+44`. */
  readonly phonePrefix?: string | undefined
}

const createInput = (form: UserForm, phonePrefix: string): UserInput => {
  const { displayName, ...input } = wholeInput(
    { ...form, externalId: form.employeeIdPrefix + form.externalId, phoneNumber: withPhonePrefix(form.phoneNumber, phonePrefix) },
    undefined,
  )
  return displayName === null ? input : { ...input, displayName }
}

const editInput = (form: UserForm, before: User): UserInput => {
  const input = changedMembers({ ...wholeInput(form, before) }, { ...wholeInput(formOf(before), before) }) as UserInput
  const overrides = restored(form, before)
  return Object.keys(overrides).length > 0 ? { ...input, overrides } : input
}

/**
 * What the form asks of the server. Of an edit only what differs from the person it was opened with, so that an untouched form asks nothing.
 */
export const inputOf = (form: UserForm, { mode, before, phonePrefix = '' }: InputOptions): UserInput => {
  const tidy = cleaned(form)
  return mode === 'edit' && before ? editInput(tidy, before) : createInput(tidy, phonePrefix)
}
