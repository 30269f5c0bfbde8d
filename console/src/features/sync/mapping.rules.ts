import type { Condition } from '@instep/contract/conditions.ts'
import type { DateFormat } from '@instep/contract/date-formats.ts'
import { hasSource, type MappingGap, mappingGaps } from '@instep/contract/mapped-field.ts'
import type { Column, FieldMapping, Mapping } from '@instep/contract/sync.ts'
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

/** The mapping with one field said anew; one that nothing can come of is taken out. */
export const withField = (mapping: Mapping, field: UserFieldName, from: FieldMapping): Mapping => {
  const { [field]: _, ...rest } = mapping.fields
  const { transforms, ...others } = from
  const chain = transforms && transforms.length > 0 ? { transforms } : {}
  const stays = from.column !== undefined || 'transforms' in chain
  return { ...mapping, fields: stays ? { ...rest, [field]: { ...others, ...chain } } : rest }
}

/**
 * The mapping with another column for a field; a date keeps no format that the new column cannot be written in. Without a column the field goes,
 * unless its transforms can do without.
 */
export const withColumn = (mapping: Mapping, field: UserFieldName, column: Column | undefined): Mapping => {
  const { column: _, dateFormat, values: __, ...kept } = mapping.fields[field] ?? {}
  if (!column) return withField(mapping, field, hasSource(kept) ? { ...kept, ...(dateFormat ? { dateFormat } : {}) } : {})
  const [only, ...others] = column.dateFormats
  const format = dateFormat && column.dateFormats.includes(dateFormat) ? dateFormat : others.length === 0 ? only : undefined
  return withField(mapping, field, { column: column.name, ...kept, ...(isDate(field) && format ? { dateFormat: format } : {}) })
}

/** The mapping with a date format chosen for a field. */
export const withDateFormat = (mapping: Mapping, field: UserFieldName, dateFormat: DateFormat): Mapping => {
  const before = mapping.fields[field]
  return before ? { ...mapping, fields: { ...mapping.fields, [field]: { ...before, dateFormat } } } : mapping
}

/** The mapping with another scope; without one everybody is in scope. */
export const withScope = ({ scope: _, ...mapping }: Mapping, scope: Condition | undefined): Mapping =>
  scope ? { ...mapping, scope } : mapping

/** What is still missing before a plan can be made, in the order of the screen. */
export const gapsOf = (mapping: Mapping): ReadonlyMap<UserFieldName, MappingGap> => {
  const gaps = new Map(mappingGaps(mapping).map(({ field, gap }) => [field, gap]))
  return new Map(
    Object.values(FIELD_GROUPS)
      .flat()
      .flatMap((field) => {
        const gap = gaps.get(field)
        return gap ? [[field, gap] as const] : []
      }),
  )
}
