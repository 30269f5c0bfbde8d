/** What is sent when one security attribute changes: the whole set. Pure. */
import { type ClaimField, MOST_ACTIVE_CLAIM_FIELDS } from '@instep/contract/settings.ts'

/** An attribute as the call takes it; without an id it is a new one. */
export interface SentAttribute {
  readonly id?: string | undefined
  readonly displayName: string
  readonly description: string
  readonly type: ClaimField['type']
  readonly enabled: boolean
}

const sent = ({ id, displayName, description, type, enabled }: ClaimField): SentAttribute => ({
  id,
  displayName,
  description,
  type,
  enabled,
})

/** The set with one attribute in place of the one of its id, or at the end where it has none. */
export const withAttribute = (fields: readonly ClaimField[], changed: SentAttribute): SentAttribute[] => {
  const all = fields.map((field) => (field.id === changed.id ? changed : sent(field)))
  return changed.id === undefined ? [...all, changed] : all
}

/** The set without one attribute. */
export const withoutAttribute = (fields: readonly ClaimField[], id: string): SentAttribute[] =>
  fields.filter((field) => field.id !== id).map(sent)

/** Whether no further attribute can be switched on. */
export const isFull = (fields: readonly Pick<ClaimField, 'enabled'>[]): boolean =>
  fields.filter(({ enabled }) => enabled).length >= MOST_ACTIVE_CLAIM_FIELDS
