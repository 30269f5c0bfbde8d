/** What the form of a person asks of the server, in the API shape (1-console.md section 5, "Before save"). Pure. */
import { changedMembers } from './changed-members.ts'
import { cleanText } from './field-values.ts'
import { wireDate } from './form-dates.ts'
import { withPhonePrefix } from './phone-prefix.ts'
import type { UserInput } from './user-edits.ts'
import { emailType, formOf, type ReferenceType, type UserForm } from './user-form.ts'
import type { User } from './users.ts'

const clean = (text: string): string => cleanText(text) ?? text

/** The form with line breaks stripped and texts trimmed, at any depth. */
const cleaned = <Value>(value: Value): Value => {
  if (typeof value === 'string') return clean(value) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)])) as Value
}

const orNull = (text: string): string | null => (text === '' ? null : text)

/** Without a value or a type there is no reference. */
const referenceOf = <Type extends ReferenceType>(value: string, referenceType: Type | null) =>
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
  leader: referenceOf(form.leader, 'email' as const),
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
  Omit<UserInput, 'externalReferenceId' | 'userName' | 'overrides' | 'renewedOverrides' | 'overrideReason' | 'overrideUntil'>
>

const wholeInput = (form: UserForm, before: User | undefined): WholeInput => ({
  externalId: form.externalId,
  siteId: form.siteId,
  userType: orNull(form.userType),
  active: form.active,
  displayName: displayNameOf(form, before),
  title: orNull(form.title),
  preferredLanguage: orNull(form.preferredLanguage),
  locale: orNull(form.locale),
  timezone: orNull(form.timezone),
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
