import { userFieldNames } from '@instep/contract/user-fields.ts'
import type { UserFields } from '@instep/contract/user-shape.ts'
import { fieldsOf, shapeOf } from '@instep/contract/user-shape.ts'
import { fieldsOfRecord, type PersonRecord } from './person.views.ts'
import type { Editable } from './plan-edit.rules.ts'
import type { Current } from './read-edit.rules.ts'

/** What somebody is now; the fields as the API shape tells them, so that what a caller sends back unread is no change. */
export const currentOf = (person: PersonRecord): Current => {
  const told = fieldsOf(shapeOf(fieldsOfRecord(person)) as Parameters<typeof fieldsOf>[0])
  const fields = Object.fromEntries(userFieldNames.map((field) => [field, told[field] ?? null])) as UserFields
  return { fields, active: person.active, claimFields: person.claim_fields, siteId: person.site_id }
}

/** Somebody as an edit meets them. */
export const editableOf = (person: PersonRecord): Editable => ({
  now: currentOf(person),
  base: person.base,
  overrides: person.overrides ?? {},
  terms: new Map(person.override_list.map(({ field, reason, until }) => [field, { reason, until }])),
  linked: person.linked,
})

const flat = ({ fields, ...rest }: Current): Record<string, unknown> => ({ ...fields, ...rest })

/** What differs between somebody before and after a change, by field. */
export const differences = (before: Current, after: Current): { before: Record<string, unknown>; after: Record<string, unknown> } => {
  const [was, is] = [flat(before), flat(after)]
  const changed = Object.keys(is).filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
  const of = (values: Record<string, unknown>) => Object.fromEntries(changed.map((field) => [field, values[field]]))
  return { before: of(was), after: of(is) }
}
