import type { ProblemCode } from '@instep/contract/problem.ts'

/** What stands between a record and somebody it may be. */
export interface LinkFacts {
  readonly locked: boolean
  /** They are another record of the same source, or an answer has made them one. */
  readonly linkedHere: boolean
  readonly elsewhere: boolean
  /** Their connector is fed by nobody but administrators. */
  readonly manual: boolean
  readonly active: boolean
  /** Somebody else has the record's external id, or in its connector theirs. */
  readonly idTaken: boolean
}

/**
 * Why a record cannot be linked to somebody; null where it can. Whoever another source keeps active stays there: two sources would pull at one
 * person. Pure.
 */
export const linkRefusal = ({ locked, linkedHere, elsewhere, manual, active, idTaken }: LinkFacts): ProblemCode | null => {
  if (locked) return 'USER_LOCKED'
  if (linkedHere) return 'CASE_PERSON_LINKED'
  if (elsewhere && active && !manual) return 'CASE_PERSON_ELSEWHERE'
  return idTaken ? 'CASE_ID_TAKEN' : null
}
