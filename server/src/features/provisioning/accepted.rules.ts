import type { AccountDocument } from '@instep/connectors/kit/target.ts'
import { compareDocuments } from './compare-documents.ts'

/** A value of one account that may differ from what the person says. */
export interface Accepted {
  readonly userId: string
  /** The attribute, and within it the member; empty: that there is no account. */
  readonly path: readonly string[]
  /** What we would write, and what is there; null: nothing. */
  readonly ours: unknown
  readonly theirs: unknown
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The way to an attribute that `compareDocuments` names; names of schemas have dots of their own, so the documents are asked. */
export const pathOf = (attribute: string, documents: readonly AccountDocument[]): string[] => {
  const names = documents.flatMap((document) => Object.keys(document))
  if (names.includes(attribute)) return [attribute]
  const [holder] = names.filter((name) => attribute.startsWith(`${name}.`)).sort((a, b) => b.length - a.length)
  return holder === undefined ? [attribute] : [holder, attribute.slice(holder.length + 1)]
}

const valueAt = (document: AccountDocument, [attribute = '', member]: readonly string[]): unknown => {
  const value = document[attribute]
  return (member === undefined ? value : isMembers(value) ? value[member] : undefined) ?? null
}

const replaced = (members: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> => {
  const { [name]: _, ...others } = members
  return value === null || value === undefined ? others : { ...members, [name]: value }
}

/** The document with another value at a path; null takes it out, and an attribute of which nothing is left as well. */
export const withValue = (document: AccountDocument, [attribute = '', member]: readonly string[], value: unknown): AccountDocument => {
  if (member === undefined) return replaced(document, attribute, value)
  const holder = document[attribute]
  const members = replaced(isMembers(holder) ? holder : {}, member, value)
  return replaced(document, attribute, Object.keys(members).length > 0 ? members : null)
}

const isSame = (a: unknown, b: unknown): boolean => compareDocuments({ value: a ?? undefined }, { value: b ?? undefined }).length === 0

/** Whether a document has the given side's value still. */
export const stillHas = (document: AccountDocument, accepted: Accepted, side: 'ours' | 'theirs'): boolean =>
  isSame(valueAt(document, accepted.path), accepted[side])

/** The document as it is to be, with what was accepted. */
export const withAccepted = (document: AccountDocument, accepted: readonly Accepted[]): AccountDocument =>
  accepted.reduce((made, { path, theirs }) => (path.length > 0 ? withValue(made, path, theirs) : made), document)
