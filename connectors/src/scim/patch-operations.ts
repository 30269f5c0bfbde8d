import { isDeepStrictEqual } from 'node:util'
import type { DialectSettings } from '@instep/contract/scim-dialects.ts'
import type { AccountDocument } from '../kit/target.ts'
import { isMembers, type Members } from './attribute-path.ts'

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/** How changes of lists are told. */
export type ListUpdates = DialectSettings['listUpdates']

/** Lists that a document has as a whole; of any other only single entries are ours. */
const WHOLE_LISTS: ReadonlySet<string> = new Set(['emails', 'phoneNumbers', 'addresses'])

const change = (path: string, from: unknown, to: unknown): PatchOperation[] => {
  if (isDeepStrictEqual(from, to)) return []
  return [to === undefined ? { op: 'remove', path } : { op: 'replace', path, value: to }]
}

/** The member that tells the entries of both lists apart; undefined where none does. */
const keyOf = (from: readonly Members[], to: readonly Members[]): string | undefined => {
  const [first] = [...to, ...from]
  const tells = (name: string, list: readonly Members[]) =>
    list.every((entry) => typeof entry[name] === 'string') && new Set(list.map((entry) => entry[name])).size === list.length
  return ['type', ...Object.keys(first ?? {})].find((name) => tells(name, from) && tells(name, to))
}

const entryChanges = (path: string, from: readonly Members[], to: readonly Members[]): PatchOperation[] => {
  const key = keyOf(from, to)
  if (key === undefined) return [{ op: 'replace', path, value: to }]
  const place = (entry: Members) => `${path}[${key} eq ${JSON.stringify(entry[key])}]`
  const gone = from.filter((entry) => !to.some((other) => other[key] === entry[key]))
  const added = to.filter((entry) => !from.some((other) => other[key] === entry[key]))
  const changed = to.flatMap((entry) => {
    const before = from.find((other) => other[key] === entry[key])
    if (!before) return []
    const names = [...new Set([...Object.keys(entry), ...Object.keys(before)])]
    return names.flatMap((name) => change(`${place(entry)}.${name}`, before[name], entry[name]))
  })
  return [
    ...gone.map((entry): PatchOperation => ({ op: 'remove', path: place(entry) })),
    ...changed,
    ...(added.length > 0 ? [{ op: 'add' as const, path, value: added }] : []),
  ]
}

const listOf = (value: unknown): Members[] | undefined => (Array.isArray(value) && value.every(isMembers) ? value : undefined)

const compareLists = (path: string, [from, to]: readonly [unknown, unknown], lists: ListUpdates): PatchOperation[] => {
  const whole = lists === 'whole' && WHOLE_LISTS.has(path)
  const [before, after] = [listOf(from ?? []), listOf(to ?? [])]
  return whole || !before || !after ? change(path, from, to) : entryChanges(path, before, after)
}

const compare = (before: Members, after: Members, { prefix, lists }: { prefix: string; lists: ListUpdates }): PatchOperation[] => {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])].filter((name) => name !== 'schemas')
  return names.flatMap((name): PatchOperation[] => {
    const path = prefix + name
    const [from, to] = [before[name], after[name]]
    if (isDeepStrictEqual(from, to)) return []
    if (Array.isArray(from ?? to) && Array.isArray(to ?? from)) return compareLists(path, [from, to], lists)
    // members of what stands at the top are changed one by one, or what others keep beside them would go
    if (prefix === '' && isMembers(from ?? {}) && isMembers(to ?? {})) {
      const joint = name.startsWith('urn:') ? ':' : '.'
      return compare((from ?? {}) as Members, (to ?? {}) as Members, { prefix: path + joint, lists })
    }
    return change(path, from, to)
  })
}

/**
 * The fewest operations that turn one document into the other (RFC 7644 section 3.5.2). The lists that a document has as a whole are replaced whole, or
 * entry by entry where `lists` says so. Empty when they are equal.
 */
export const patchOperations = (before: AccountDocument, after: AccountDocument, lists: ListUpdates = 'whole'): PatchOperation[] =>
  compare(before, after, { prefix: '', lists })
