import type { HeldReason } from '@instep/contract/sync.ts'

/** What the guards look at. */
export interface GuardFigures {
  /** Records in the file. */
  readonly records: number
  /** People of the connector who are active now. */
  readonly active: number
  /** Active people whom this plan would deactivate. */
  readonly deactivations: number
  /** People whom this connector's runs have deactivated in the last 24 hours. */
  readonly recentDeactivations: number
  readonly lostColumns: readonly string[]
}

const SMALL = 20
const ALWAYS_ALLOWED = 5
const SHARE = 0.1

/** Whether so many of so many may go without anybody looking. */
const isMass = (going: number, active: number): boolean =>
  going > Math.max(ALWAYS_ALLOWED, active * SHARE) || (active < SMALL && going > active / 2)

/**
 * Decides whether a plan waits for an administrator (decisions.md sections 3 and 9); null when it need not. Pure.
 * The rolling day is measured against the people who were active at its start.
 */
export const guard = (figures: GuardFigures): HeldReason | null => {
  const { records, active, deactivations, recentDeactivations, lostColumns } = figures
  if (lostColumns.length > 0) return { code: 'lostColumn', params: { columns: lostColumns.join(', '), count: lostColumns.length } }
  if (records === 0) return { code: 'emptySource', params: { active, deactivations } }
  if (deactivations === 0) return null
  const sum = deactivations + recentDeactivations
  if (!isMass(deactivations, active) && !isMass(sum, active + recentDeactivations)) return null
  const base = active + recentDeactivations
  return {
    code: 'massDeactivation',
    params: { deactivations, recent: recentDeactivations, active, percent: base === 0 ? 0 : Math.round((sum / base) * 100) },
  }
}
