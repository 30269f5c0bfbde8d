import { isDeepStrictEqual } from 'node:util'
import type { AccountDocument } from '../kit/target.ts'
import { ENTERPRISE_USER } from './scim-document.ts'

export type PatchOperation =
  | { readonly op: 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

type Members = Readonly<Record<string, unknown>>

/** Attributes whose members are changed one by one, with what stands between the two names in a path. */
const NESTED: Readonly<Record<string, string>> = { name: '.', [ENTERPRISE_USER]: ':' }

const compare = (before: Members, after: Members, prefix: string): PatchOperation[] => {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])].filter((name) => name !== 'schemas')
  return names.flatMap((name): PatchOperation[] => {
    const path = prefix + name
    const [from, to] = [before[name], after[name]]
    if (isDeepStrictEqual(from, to)) return []
    const joint = prefix === '' ? NESTED[name] : undefined
    if (joint !== undefined) return compare((from ?? {}) as Members, (to ?? {}) as Members, path + joint)
    return [to === undefined ? { op: 'remove', path } : { op: 'replace', path, value: to }]
  })
}

/** The fewest operations that turn one document into the other (RFC 7644 section 3.5.2); lists are replaced whole. Empty when they are equal. */
export const patchOperations = (before: AccountDocument, after: AccountDocument): PatchOperation[] => compare(before, after, '')
