import type { ReferenceKind } from '@instep/contract/lookups.ts'

/** Fields whose values are kept as lookups, and can be suggested. */
const KINDS: Readonly<Record<string, ReferenceKind>> = {
  department: 'Department',
  title: 'JobTitle',
  locationName: 'Location',
  division: 'Division',
  organization: 'Organization',
  costCenter: 'CostCenter',
  country: 'Country',
  locality: 'Locality',
  employmentType: 'EmploymentType',
  userType: 'UserType',
}

export const lookupKindOf = (field: string): ReferenceKind | undefined => KINDS[field]
