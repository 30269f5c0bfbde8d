import { CHANGING_KINDS } from '@instep/contract/plan-kinds.ts'
import type { HeldReason } from '@instep/contract/run-findings.ts'
import type { PlanCounts } from './plan-row.ts'
import type { SyncInput } from './sync-input.ts'

/**
 * Whether a plan is applied without a person: no guard holds it, it is no dry run, and the schedule says so, or it would change nobody. Only a plan
 * that nobody asked for, of a schedule or of what another run left alone: any other is looked at by who asked, except the one of a single person, whose
 * record was looked at before. Pure.
 */
export const appliesItself = ({ fetch, follows, only }: SyncInput, plan: { counts: PlanCounts; held: HeldReason | null }): boolean => {
  if (only !== undefined) return !plan.held
  const scheduled = fetch?.began === 'schedule'
  if (plan.held || fetch?.dryRun || !(scheduled || follows)) return false
  return (scheduled && fetch.apply === 'automatic') || CHANGING_KINDS.every((kind) => plan.counts[kind] === 0)
}
