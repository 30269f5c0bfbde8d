import type { ShownStatus, UserRow } from '@instep/contract/users.ts'
import { sql } from 'kysely'

type StatusParts = Pick<UserListRecord, 'active' | 'claim_state' | 'deactivated_at'>

/** A row of a people list as the database gives it. */
export interface UserListRecord {
  id: string
  connector_id: string
  site_id: string | null
  display_name: string
  external_id: string
  employee_number: string | null
  title: string | null
  department: string | null
  division: string | null
  organization: string | null
  cost_center: string | null
  location_name: string | null
  country: string | null
  work_email: string | null
  personal_email: string | null
  personal_phone: string | null
  manager: string | null
  user_type: string | null
  employment_type: string | null
  preferred_language: string | null
  active: boolean
  claim_state: string
  deactivated_at: Date | null
  access_code_delivery: string
  start_date: string | null
  end_date: string | null
  updated_at: Date
  locked: boolean
  vip: boolean
  overridden: boolean
}

/** The columns of a `UserListRecord` of `users as u`. */
export const LIST_COLUMNS = sql.raw(
  `u.id, u.connector_id, u.site_id, u.display_name, u.external_id, u.employee_number, u.title, u.department, u.division, u.organization,
  u.cost_center, u.location_name, u.country, u.work_email, u.personal_email, u.personal_phone, u.manager, u.user_type, u.employment_type,
  u.preferred_language, u.active, u.claim_state, u.deactivated_at, u.access_code_delivery, u.start_date, u.end_date, u.updated_at, u.locked,
  u.vip, u.overridden`,
)

/** What a screen shows: how far the claim is while the person is active, else whether somebody switched them off. */
export const shownStatus = ({ active, claim_state, deactivated_at }: StatusParts): ShownStatus => {
  if (active) return claim_state as ShownStatus
  return deactivated_at === null ? 'inactive' : 'deactivated'
}

/** A row of a people list. */
export const presentRow = (row: UserListRecord): UserRow => ({
  id: row.id,
  connectorId: row.connector_id,
  siteId: row.site_id,
  displayName: row.display_name,
  employeeId: row.employee_number ?? row.external_id,
  externalId: row.external_id,
  title: row.title,
  department: row.department,
  division: row.division,
  organization: row.organization,
  costCenter: row.cost_center,
  locationName: row.location_name,
  country: row.country,
  workEmail: row.work_email,
  personalEmail: row.personal_email,
  personalPhone: row.personal_phone,
  manager: row.manager,
  userType: row.user_type,
  employmentType: row.employment_type,
  preferredLanguage: row.preferred_language,
  status: shownStatus(row),
  accessCodeDelivery: row.access_code_delivery as UserRow['accessCodeDelivery'],
  startDate: row.start_date,
  endDate: row.end_date,
  updatedAt: row.updated_at.toISOString(),
  locked: row.locked,
  vip: row.vip,
  overridden: row.overridden,
})
