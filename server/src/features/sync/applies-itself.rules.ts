import type { HeldReason } from '@instep/contract/run-findings.ts'
import type { PlanCounts } from './plan-row.ts'
import type { SyncInput } from './sync-input.ts'

const CHANGES = ['create', 'update', 'deactivate', 'reactivate', 'future', 'leave'] as const

/**
 * Whether a plan is applied without a person: no guard holds it, it is no dry run, and the schedule says so, or it would change nobody. Only a plan
 * of a scheduled run: one that somebody asked for is looked at by them. Pure.
 */
export const appliesItself = ({ fetch }: SyncInput, plan: { counts: PlanCounts; held: HeldReason | null }): boolean => {
  if (fetch?.began !== 'schedule' || fetch.dryRun || plan.held) return false
  return fetch.apply === 'automatic' || CHANGES.every((kind) => plan.counts[kind] === 0)
}
