import type { CaseKind } from '@instep/contract/match-cases.ts'
import type { LookupKeyKind, Matching } from '@instep/contract/matching.ts'

/** By what somebody was found: a lookup key, the external id that only one person can have, or a likeness. */
export type FoundBy = LookupKeyKind | 'taken' | 'nameAndBirthDate' | 'personalEmail' | 'personalPhone'

/** Somebody whom a record may be. */
export interface Candidate {
  readonly userId: string
  readonly foundBy: readonly FoundBy[]
  readonly displayName: string
  readonly connectorName: string
  /** `linked`: came from this source; `unlinked`: made by hand in its connector; `elsewhere`: of another connector. */
  readonly place: 'linked' | 'unlinked' | 'elsewhere'
  /** Linked to another record that the source holds now. */
  readonly present: boolean
  /** How many records of the source found them by a lookup key. */
  readonly claims: number
  readonly active: boolean
  readonly birthDate: string | null
  readonly employmentType: string | null
}

/** What of a record speaks against somebody. */
export interface Particulars {
  readonly birthDate: string | null
  readonly employmentType: string | null
}

/** What to do with a record that is linked to nobody. */
export type Verdict =
  | { readonly verdict: 'new' }
  | { readonly verdict: 'link'; readonly userId: string; readonly by: LookupKeyKind }
  | { readonly verdict: 'note' }
  | { readonly verdict: 'case'; readonly kind: CaseKind }

const LIKENESSES: ReadonlySet<FoundBy> = new Set(['nameAndBirthDate', 'personalEmail', 'personalPhone'])
const isKey = (by: FoundBy): by is LookupKeyKind => by !== 'taken' && !LIKENESSES.has(by)

/** Whether somebody was found by a lookup key or the external id, and not for a likeness only. */
export const isFoundForSure = ({ foundBy }: Candidate): boolean => foundBy.some((by) => !LIKENESSES.has(by))

const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b

const foundOne = (record: Particulars, person: Candidate): Verdict => {
  const by = person.foundBy.find(isKey)
  if (person.present || person.claims > 1) return { verdict: 'case', kind: 'claimed' }
  if (person.place === 'elsewhere') return { verdict: 'case', kind: 'otherConnector' }
  if (person.place === 'unlinked' || !by) return { verdict: 'case', kind: 'adopt' }
  // numbers and addresses are given out again; a birthday is not
  if (differ(record.birthDate, person.birthDate)) return { verdict: 'case', kind: 'contradicts' }
  return { verdict: 'link', userId: person.userId, by }
}

const likenessOf = (record: Particulars, people: readonly Candidate[]): CaseKind => {
  if (people.some(({ active }) => !active)) return 'rehire'
  return people.some(({ employmentType }) => differ(record.employmentType?.toLowerCase() ?? null, employmentType?.toLowerCase() ?? null))
    ? 'contractorToEmployee'
    : 'samePerson'
}

/**
 * Decides who a record is: linked where the first key that finds anybody finds exactly one person of this source whom no other record claims, and
 * nothing speaks against it; asked about in any other case. Never guesses. Pure.
 */
export const decideMatch = (record: Particulars, candidates: readonly Candidate[], act: Matching['samePerson']['act']): Verdict => {
  const sure = candidates.filter(isFoundForSure)
  const [one] = sure
  if (one) return sure.length > 1 ? { verdict: 'case', kind: 'ambiguous' } : foundOne(record, one)
  if (candidates.length === 0 || act === 'off') return { verdict: 'new' }
  return act === 'note' ? { verdict: 'note' } : { verdict: 'case', kind: likenessOf(record, candidates) }
}
