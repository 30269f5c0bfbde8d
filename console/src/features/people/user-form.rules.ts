/** What follows from what in the form of a person. Pure. */
import type { LookupValue } from '@instep/contract/lookups.ts'
import type { Defaults } from '@instep/contract/settings.ts'
import type { Delivery, ReferenceType, UserForm } from '@instep/contract/user-form.ts'
import type { User } from '@instep/contract/users.ts'
import type { Unit } from './user-form.units.ts'

/** Somebody who gets access codes without a work e-mail address, or somebody who has one. */
export type AccountType = 'accessCode' | 'workEmail'

/** What an access-code user chooses from. */
export const DELIVERY_CHOICES: readonly Delivery[] = ['none', 'email.personal', 'sms.personal', 'sms.activation_portal']

export const accountTypeOf = ({ accessCodeDelivery }: UserForm): AccountType =>
  accessCodeDelivery === 'email.work' ? 'workEmail' : 'accessCode'

const kindOfEmail = (delivery: Delivery) => (delivery === 'email.work' ? 'work' : 'personal')

const addressOf = (person: User | null, kind: 'work' | 'personal'): string => person?.emails.find(({ type }) => type === kind)?.value ?? ''

/** Another delivery. The e-mail input then stands for another address: the one that the person has, else none yet. */
export const withDelivery = (form: UserForm, accessCodeDelivery: Delivery, before: User | null): UserForm => {
  const kind = kindOfEmail(accessCodeDelivery)
  if (kind === kindOfEmail(form.accessCodeDelivery)) return { ...form, accessCodeDelivery }
  return { ...form, accessCodeDelivery, email: addressOf(before, kind) }
}

export const withAccountType = (form: UserForm, type: AccountType): UserForm =>
  type === accountTypeOf(form) ? form : withDelivery(form, type === 'workEmail' ? 'email.work' : 'none', null)

/** The input that the delivery asks for. */
export const contactOf = ({ accessCodeDelivery }: Pick<UserForm, 'accessCodeDelivery'>): 'email' | 'phoneNumber' | null => {
  if (accessCodeDelivery === 'email.work' || accessCodeDelivery === 'email.personal') return 'email'
  return accessCodeDelivery === 'sms.personal' ? 'phoneNumber' : null
}

/** Inputs that the delivery no longer shows are as the person has them, empty of somebody new: nobody saves what they do not see. */
export const withoutHiddenContact = (form: UserForm, before: User | null): UserForm => {
  const contact = contactOf(form)
  return {
    ...form,
    email: contact === 'email' ? form.email : addressOf(before, kindOfEmail(form.accessCodeDelivery)),
    phoneNumber: contact === 'phoneNumber' ? form.phoneNumber : (before?.phoneNumbers.find(({ type }) => type === 'personal')?.value ?? ''),
  }
}

/** Another way of naming the manager: the value of the old way means nothing in the new one. */
export const withManagerType = (form: UserForm, managerReferenceType: ReferenceType | null): UserForm =>
  managerReferenceType === form.managerReferenceType ? form : { ...form, managerReferenceType, manager: '' }

export const withApproverType = (form: UserForm, referenceType: ReferenceType | null): UserForm =>
  referenceType === form.approver.referenceType ? form : { ...form, approver: { value: '', referenceType } }

/** Whether a position is among those that a department uses; `allowed` are the job titles narrowed to the department. */
export const isAllowedTitle = (title: string, allowed: readonly Pick<LookupValue, 'value'>[]): boolean =>
  title.trim() === '' || allowed.some(({ value }) => value === title.trim())

/** The position cleared where the department does not use it. */
export const withAllowedTitle = (
  form: UserForm,
  allowed: readonly Pick<LookupValue, 'value'>[],
): { readonly form: UserForm; readonly cleared: boolean } =>
  isAllowedTitle(form.title, allowed) ? { form, cleared: false } : { form: { ...form, title: '' }, cleared: true }

type Effective = NonNullable<Defaults['effective']>

/** Fields of the form that can have a default; the country of a phone number is no field of it. */
const DEFAULTED = [
  'preferredLanguage',
  'locationName',
  'department',
  'title',
  'division',
  'organization',
  'locality',
  'country',
  'timezone',
  'userType',
  'employmentType',
] as const

const defaultOf = (effective: Effective, field: string): string => effective.find((one) => one.field === field)?.value ?? ''

/** The defaults filled in where nothing was chosen: where the form still holds what the defaults of before (of another site) had put there. */
export const withDefaults = (form: UserForm, effective: Effective, previous: Effective = []): UserForm => {
  const filled = Object.fromEntries(
    DEFAULTED.flatMap((field) => (form[field] === defaultOf(previous, field) ? [[field, defaultOf(effective, field)]] : [])),
  )
  const delivery = (defaultOf(effective, 'accessCodeDelivery') || 'none') as Delivery
  const untouched = form.accessCodeDelivery === (defaultOf(previous, 'accessCodeDelivery') || 'none')
  const next = { ...form, ...filled }
  return untouched ? withDelivery(next, delivery, null) : next
}

/** The country of a phone number that is about to be written. */
export const defaultPhoneCountry = (effective: Effective): string => defaultOf(effective, 'phoneCountry')

/** Whether the form asks for the unit: of somebody whose source never gave it, it does not insist. */
export const REQUIRED_UNITS = [
  'externalId',
  'givenName',
  'familyName',
  'preferredLanguage',
  'startDate',
  'locationName',
  'department',
  'title',
] as const satisfies readonly Unit[]
