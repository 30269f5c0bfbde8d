import type { Limit } from '@instep/contract/guard-settings.ts'

/** Removals at one target, of accounts or of group members. */
export interface RemovalFigures {
  /** What the guard let pass in the last 24 hours. */
  readonly removed: number
  /** What would be removed now. */
  readonly wanted: number
  /** What the target holds now and may lose, in use. */
  readonly inUse: number
}

export interface RemovalVerdict {
  readonly held: boolean
  /** With those of the last 24 hours. */
  readonly wanted: number
  readonly allowed: number
  /** What was in use when the 24 hours began, as far as the guard let it go. */
  readonly population: number
}

/** Whether removals wait for a person: at most the larger of a number and a percentage may go in 24 hours (decisions.md section 3). */
export const judgeRemovals = (limit: Limit, { removed, wanted, inUse }: RemovalFigures): RemovalVerdict => {
  const population = inUse + removed
  const allowed = Math.floor(Math.max(limit.number, (population * limit.percent) / 100))
  const all = removed + wanted
  return { held: limit.on && wanted > 0 && all > allowed, wanted: all, allowed, population }
}
