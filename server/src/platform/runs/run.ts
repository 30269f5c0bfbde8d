import type { EventActor } from '../audit/record-event.ts'

export type RunState = 'queued' | 'running' | 'planned' | 'held' | 'succeeded' | 'partlySucceeded' | 'failed' | 'rejected' | 'cancelled'

export interface RunStage {
  readonly name: string
  readonly state: 'waiting' | 'running' | 'done'
  readonly count: number
  readonly total: number | null
  readonly milliseconds: number
}

/** A code and the figures that its sentence needs. */
export interface RunReason {
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
}

/** A row of `runs`: something long, with an id, a state, counts, live progress and a result that stays readable. */
export interface RunRow {
  readonly tenantId: string
  readonly id: string
  readonly kind: string
  readonly connectorId: string | null
  readonly correlationId: string
  readonly state: RunState
  readonly input: Readonly<Record<string, unknown>>
  readonly stages: readonly RunStage[]
  readonly counts: Readonly<Record<string, number>>
  /** The last sequence of the plan that was carried out. */
  readonly appliedThrough: number
  readonly applied: number
  readonly stale: number
  readonly held: RunReason | null
  /** Everything that was found about what the run would do. */
  readonly findings: { readonly held?: readonly RunReason[]; readonly notes?: readonly RunReason[] }
  readonly failure: RunReason | null
  readonly createdBy: EventActor
  readonly decidedBy: EventActor | null
  readonly decidedAt: Date | null
  readonly decisionReason: string | null
  readonly cancelRequested: boolean
  /** Who asked that it stop while a worker was at it. */
  readonly cancelledBy: EventActor | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly version: number
}

/** What of a run its worker, or a decision about it, may change. */
export type RunPatch = Partial<
  Pick<
    RunRow,
    | 'input'
    | 'state'
    | 'stages'
    | 'counts'
    | 'appliedThrough'
    | 'applied'
    | 'stale'
    | 'held'
    | 'findings'
    | 'failure'
    | 'decidedBy'
    | 'decidedAt'
    | 'decisionReason'
    | 'cancelRequested'
    | 'cancelledBy'
    | 'startedAt'
    | 'finishedAt'
  > & {
    /** What the source looked like, for the next run to compare with; asked for where that is done, not shown. */
    readonly sourceProfile: object
  }
>

const OVER: ReadonlySet<RunState> = new Set(['succeeded', 'partlySucceeded', 'failed', 'rejected', 'cancelled'])

/** Whether nothing more will happen to a run in this state. */
export const isOver = (state: RunState): boolean => OVER.has(state)
