import { STAGES } from '@instep/contract/sync.ts'
import type { RunStage } from '../../platform/runs/run.ts'

type StageName = (typeof STAGES)[number]

/** Taking back reads no source. */
export const UNDO_STAGES = ['compare', 'apply'] as const satisfies readonly StageName[]
/** A trial ends with its plan. */
export const TRIAL_STAGES = ['read', 'match', 'compare'] as const satisfies readonly StageName[]

/** The stages of a run before anything was done. */
export const waitingStages = (names: readonly StageName[] = STAGES): RunStage[] =>
  names.map((name) => ({ name, state: 'waiting', count: 0, total: null, milliseconds: 0 }))

export interface StageClock {
  /** Ends the stage under way and starts this one. */
  start(name: StageName): void
  count(count: number, total: number | null): void
  end(): void
  readonly stages: readonly RunStage[]
}

/**
 * Keeps count and time of each stage.
 *
 * @param given the stages as an earlier part of the run left them
 * @param tell called with all of them at every change
 */
export const stageClock = (given: readonly RunStage[], tell: (stages: readonly RunStage[]) => void): StageClock => {
  let stages = [...given]
  let current: StageName | undefined
  let startedAt = 0
  let before = 0
  const set = (change: Partial<RunStage>): void => {
    const milliseconds = Math.round(before + performance.now() - startedAt)
    stages = stages.map((stage) => (stage.name === current ? { ...stage, ...change, milliseconds } : stage))
    tell(stages)
  }
  const end = (): void => {
    if (current) set({ state: 'done' })
    current = undefined
  }
  return {
    start: (name) => {
      end()
      current = name
      startedAt = performance.now()
      // a stage that goes on after a crash keeps the time it has taken so far
      before = stages.find((stage) => stage.name === name)?.milliseconds ?? 0
      set({ state: 'running' })
    },
    count: (count, total) => set({ count, total }),
    end,
    get stages() {
      return stages
    },
  }
}
