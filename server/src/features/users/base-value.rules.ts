import type { UserFieldName } from '@instep/contract/user-fields.ts'

/** Values by field of the form model, `active` and `claimFields` among them; what has no value is not there. */
export type Document = Readonly<Record<string, unknown>>

/** Given and family name: what somebody is called unless the source or an administrator says something else. */
export const derivedName = (given: unknown, family: unknown): string => `${given ?? ''} ${family ?? ''}`

/** Whether the names make the display name of this base. */
export const derivesName = (base: Document): boolean =>
  base['displayName'] === undefined || base['displayName'] === derivedName(base['givenName'], base['familyName'])

/** What the base says of a field, with what counts where it says nothing. */
export const baseValue = (base: Document, field: UserFieldName | 'active' | 'claimFields'): unknown => {
  if (field === 'active') return base['active'] ?? true
  if (field === 'claimFields') return base['claimFields'] ?? {}
  if (field === 'accessCodeDelivery') return base['accessCodeDelivery'] ?? 'none'
  if (field === 'displayName') return base['displayName'] ?? derivedName(base['givenName'], base['familyName'])
  return base[field] ?? null
}
