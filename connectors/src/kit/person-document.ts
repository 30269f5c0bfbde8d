import type { UserFieldName } from '@instep/contract/user-fields.ts'
import type { AccountDocument, TargetUser } from './target.ts'

/** Fields of a person that reach a target which has no names of its own for them, in the order in which a document has them. */
export const PERSON_FIELDS = [
  'externalId',
  'employeeNumber',
  'userName',
  'givenName',
  'familyName',
  'displayName',
  'workEmail',
  'personalEmail',
  'workPhone',
  'personalPhone',
  'title',
  'department',
  'division',
  'organization',
  'costCenter',
  'locationName',
  'locality',
  'country',
  'manager',
  'userType',
  'employmentType',
  'startDate',
  'endDate',
  'preferredLanguage',
  'locale',
  'timezone',
] as const satisfies readonly UserFieldName[]

/**
 * A person as a flat document: `id` (Instep's, the same for life), `active`, and the fields that are filled. Pure; the same values give the same
 * document, members in the same order.
 */
export const personDocument = (user: TargetUser): AccountDocument => {
  const filled = PERSON_FIELDS.map((field) => [field, user.fields[field]?.trim() ?? ''] as const).filter(([, value]) => value !== '')
  return { id: user.userId ?? '', active: user.active, ...Object.fromEntries(filled) }
}

/** One member of a flat document that differs; null where it is not there. */
export interface DocumentChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** Documents that were kept have lost the order of their members. */
const ORDER: readonly string[] = ['id', 'active', ...PERSON_FIELDS]

/** What differs between two documents of people, in the order of `PERSON_FIELDS`. */
export const documentChanges = (before: AccountDocument, after: AccountDocument): DocumentChange[] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((change) => change.before !== change.after)
