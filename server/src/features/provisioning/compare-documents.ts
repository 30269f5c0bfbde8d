import { isDeepStrictEqual } from 'node:util'
import type { AccountDocument } from '@instep/connectors/kit/target.ts'
import type { AccountChange, TargetSync } from '@instep/contract/user-sync.ts'

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A list says the same in any order, as far as targets are concerned. */
const comparable = (value: unknown): unknown => (Array.isArray(value) ? value.map((one) => JSON.stringify(sorted(one))).sort() : value)

const sorted = (value: unknown): unknown =>
  isMembers(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, value[key]]),
      )
    : value

/**
 * What differs between two documents of one account, attribute by attribute, members of an attribute each by itself (`name.givenName`); the names
 * of schemas are no attribute. A list is compared as a whole, whatever its order. Pure.
 */
export const compareDocuments = (before: AccountDocument, after: AccountDocument): AccountChange[] => differences(before, after, '')

/** The attributes of a document with their values, as differences name them. Pure. */
export const attributesOf = (document: AccountDocument): TargetSync['desired'] =>
  compareDocuments({}, document).map(({ attribute, after }) => ({ attribute, value: after }))

const differences = (before: AccountDocument, after: AccountDocument, prefix: string): AccountChange[] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((name) => name !== 'schemas')
    .flatMap((name): AccountChange[] => {
      const [from, to] = [before[name], after[name]]
      if (isDeepStrictEqual(comparable(from), comparable(to))) return []
      if (prefix === '' && (isMembers(from) || isMembers(to)))
        return differences(isMembers(from) ? from : {}, isMembers(to) ? to : {}, `${name}.`)
      return [{ attribute: `${prefix}${name}`, before: from ?? null, after: to ?? null }]
    })
