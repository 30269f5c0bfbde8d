import type { UserFieldName } from '@instep/contract/user-fields.ts'

type Field = UserFieldName | 'active' | 'claimFields'

/** Key of the API shape → the form field it stands for, or its leaves (decisions.md section 9, Users). */
const OVERRIDES: Readonly<Record<string, Field | Readonly<Record<string, Field>>>> = {
  name: { givenName: 'givenName', familyName: 'familyName', displayName: 'displayName' },
  title: 'title',
  organization: 'organization',
  externalId: 'externalId',
  manager: 'manager',
  approver: 'approver',
  active: 'active',
  addresses: { formatted: 'locationName', locality: 'locality', country: 'country' },
  division: 'division',
  phoneNumber: { work: 'workPhone', personal: 'personalPhone' },
  department: 'department',
  costCenter: 'costCenter',
  startDate: 'startDate',
  endDate: 'endDate',
  email: { work: 'workEmail', personal: 'personalEmail' },
  preferredLanguage: 'preferredLanguage',
  accessCodeDelivery: 'accessCodeDelivery',
  claimFields: 'claimFields',
}

/**
 * What an administrator set on top of the source: every key that can be, null where nothing is. `name`, `addresses`, `phoneNumber` and
 * `email` hold their leaves, null where a leaf is not overridden.
 *
 * @param stored form field → value, as `user_overrides` holds them
 */
export const presentOverrides = (stored: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(OVERRIDES).map(([key, fields]) => {
      if (typeof fields === 'string') return [key, stored[fields] ?? null]
      const leaves = Object.entries(fields)
      if (!leaves.some(([, field]) => field in stored)) return [key, null]
      return [key, Object.fromEntries(leaves.map(([leaf, field]) => [leaf, stored[field] ?? null]))]
    }),
  )
