import { LOOKUP_KEYS, type LookupKeyKind, type Matching } from '@instep/contract/matching.ts'

type Keys = Matching['keys']

/** The keys with the one at `from` put at `to`; the same list where it is there already or there is no such place. */
export const withKeyMoved = (keys: Keys, from: number, to: number): Keys => {
  const moved = keys[from]
  if (!moved || to < 0 || to >= keys.length || from === to) return keys
  return keys.filter((_, place) => place !== from).toSpliced(to, 0, moved)
}

/** Lookup keys that are not among these yet. */
export const keysLeft = (keys: Keys): LookupKeyKind[] => LOOKUP_KEYS.filter((kind) => keys.every((key) => key.kind !== kind))

/** A key as it is added: an identifier as it stands, an address whatever its case. */
export const newKey = (kind: LookupKeyKind): Keys[number] => ({ kind, comparison: kind === 'Email' ? 'folded' : 'exact' })
