import type { Column, DateFormat, FieldMapping, Mapping } from '@instep/contract/sync.ts'
import { USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'

/** Our fields in the order and groups of the mapping screen. */
export const FIELD_GROUPS = {
  basic: ['externalId', 'employeeNumber', 'givenName', 'familyName', 'displayName', 'preferredLanguage', 'startDate', 'endDate'],
  contact: ['workEmail', 'personalEmail', 'personalPhone', 'workPhone', 'accessCodeDelivery'],
  hr: ['locationName', 'department', 'title', 'division', 'organization', 'manager', 'costCenter', 'employmentType'],
  more: [
    'userName',
    'externalReferenceId',
    'userType',
    'locality',
    'country',
    'locale',
    'timezone',
    'approver',
    'leader',
    'managerReferenceType',
    'approverReferenceType',
    'externalIdPrefix',
    'gender',
    'dateOfBirth',
    'customField1',
    'customField2',
    'externalPartnerCompany',
  ],
} as const satisfies Record<string, readonly UserFieldName[]>
export type FieldGroup = keyof typeof FIELD_GROUPS

export const isRequired = (field: UserFieldName): boolean => 'required' in USER_FIELDS[field]
export const isDate = (field: UserFieldName): boolean => USER_FIELDS[field].type === 'date'

/** The mapping with another column for a field; a date keeps no format that the new column cannot be written in. An empty name takes it out. */
export const withColumn = (mapping: Mapping, field: UserFieldName, column: Column | undefined): Mapping => {
  const { [field]: before, ...rest } = mapping.fields
  if (!column) return { fields: rest }
  const [only, ...others] = column.dateFormats
  const kept =
    before?.dateFormat && column.dateFormats.includes(before.dateFormat) ? before.dateFormat : others.length === 0 ? only : undefined
  const next: FieldMapping = { column: column.name, ...(isDate(field) && kept ? { dateFormat: kept } : {}) }
  return { fields: { ...rest, [field]: next } }
}

/** The mapping with a date format chosen for a field. */
export const withDateFormat = (mapping: Mapping, field: UserFieldName, dateFormat: DateFormat): Mapping => {
  const before = mapping.fields[field]
  return before ? { fields: { ...mapping.fields, [field]: { ...before, dateFormat } } } : mapping
}

export type Gap = 'column' | 'dateFormat'

/** What is still missing before a plan can be made: a required field without a column, a date whose format nobody has chosen. */
export const gapsOf = (mapping: Mapping): ReadonlyMap<UserFieldName, Gap> => {
  const gaps = new Map<UserFieldName, Gap>()
  for (const field of Object.values(FIELD_GROUPS).flat()) {
    const given = mapping.fields[field]
    if (!given && isRequired(field)) gaps.set(field, 'column')
    if (given && isDate(field) && !given.dateFormat) gaps.set(field, 'dateFormat')
  }
  return gaps
}
