/** The flat form model of a person (1-console.md section 3), and how it is filled from the API shape. Pure. Empty texts are '', dates are `DD/MM/YYYY`. */
import { formDate } from './form-dates.ts'
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
  /** A language tag: how dates and numbers are written for the person. */
  locale: string
  /** Of the IANA list, unless a source wrote something else. */
  timezone: string
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
  locale: '',
  timezone: '',
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

/** Which address the form's one e-mail input stands for. */
export const emailType = (delivery: Delivery) => (delivery === 'email.work' ? 'work' : 'personal')

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
  locale: user.locale ?? '',
  timezone: user.timezone ?? '',
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
