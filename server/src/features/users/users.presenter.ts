import { SCHEMA_ID } from '@instep/contract/user-fields.ts'
import type { ShownStatus, User, UserRow } from '@instep/contract/users.ts'
import { presentOverrides } from './user-overrides.presenter.ts'
import type { UserListRecord, UserRecord } from './users.views.ts'

type StatusParts = Pick<UserListRecord, 'active' | 'claim_state' | 'deactivated_at'>

/** What a screen shows: how far the claim is while the person is active, else whether somebody switched them off. */
export const shownStatus = ({ active, claim_state, deactivated_at }: StatusParts): ShownStatus => {
  if (active) return claim_state as ShownStatus
  return deactivated_at === null ? 'inactive' : 'deactivated'
}

/** A row of a people list. */
export const presentRow = (row: UserListRecord): UserRow => ({
  id: row.id,
  connectorId: row.connector_id,
  displayName: row.display_name,
  employeeId: row.employee_number ?? row.external_id,
  title: row.title,
  department: row.department,
  locationName: row.location_name,
  status: shownStatus(row),
  accessCodeDelivery: row.access_code_delivery as UserRow['accessCodeDelivery'],
  startDate: row.start_date,
  locked: row.locked,
  vip: row.vip,
  overridden: row.overridden,
})

/** Work first: the work value is the primary one, the personal one where there is no other. */
const contacts = (work: string | null, personal: string | null) => [
  ...(work === null ? [] : [{ value: work, type: 'work' as const, primary: true }]),
  ...(personal === null ? [] : [{ value: personal, type: 'personal' as const, primary: work === null }]),
]

/** A reference to a person outside or inside the directory: what holds an @ is an e-mail address, anything else an external id. */
const reference = (value: string | null): User['enterprise']['manager'] =>
  value === null ? null : { value, referenceType: value.includes('@') ? 'email' : 'externalId' }

const presentAddresses = (row: UserRecord): User['addresses'] =>
  row.location_name === null && row.locality === null && row.country === null
    ? []
    : [{ formatted: row.location_name, type: 'work', primary: true, locality: row.locality, country: row.country }]

const presentEnterprise = (row: UserRecord): User['enterprise'] => ({
  employeeNumber: row.employee_number,
  costCenter: row.cost_center,
  organization: row.organization,
  division: row.division,
  department: row.department,
  leader: row.leader === null ? null : { value: row.leader, referenceType: 'email' },
  manager: reference(row.manager),
  approver: reference(row.approver),
})

const presentExtension = (row: UserRecord): User['extension'] => ({
  startDate: row.start_date,
  endDate: row.end_date,
  accessCodeDelivery: row.access_code_delivery as User['extension']['accessCodeDelivery'],
  externalIdPrefix: row.external_id_prefix,
  gender: row.gender,
  employmentType: row.employment_type,
  dateOfBirth: row.date_of_birth,
  customField1: row.custom_field_1,
  customField2: row.custom_field_2,
  externalPartnerCompany: row.external_partner_company,
  claimFields: row.claim_fields as Record<string, string>,
})

/** A person in the documented API shape (1-console.md section 3). */
export const presentUser = (row: UserRecord): User => ({
  id: row.id,
  externalId: row.external_id,
  externalReferenceId: row.external_reference_id,
  userName: row.user_name,
  connectorId: row.connector_id,
  siteId: row.site_id,
  ingestionType: row.ingestion_type as User['ingestionType'],
  schemaId: SCHEMA_ID,
  tenantId: row.tenant_id,
  userType: row.user_type,
  active: row.active,
  locked: row.locked,
  vip: row.vip,
  displayName: row.display_name,
  title: row.title,
  preferredLanguage: row.preferred_language,
  locale: row.locale,
  timezone: row.timezone,
  startDate: row.start_date,
  endDate: row.end_date,
  name: { formatted: `${row.given_name} ${row.family_name}`, familyName: row.family_name, givenName: row.given_name },
  phoneNumbers: contacts(row.work_phone, row.personal_phone),
  emails: contacts(row.work_email, row.personal_email),
  addresses: presentAddresses(row),
  enterprise: presentEnterprise(row),
  extension: presentExtension(row),
  overrides: presentOverrides(row.overrides ?? {}),
  claim: {
    state: row.claim_state as User['claim']['state'],
    invitedAt: row.invited_at?.toISOString() ?? null,
    claimedAt: row.claimed_at?.toISOString() ?? null,
  },
  status: shownStatus(row),
  version: row.version,
})
