/** Why a row of a plan is what it is: a code, the field concerned, figures for its sentence. */
export interface Reason {
  readonly code: string
  readonly field?: string
  readonly params?: Readonly<Record<string, string | number>>
}

export const PLANNED_KINDS = ['create', 'update', 'deactivate', 'reactivate', 'future', 'leave', 'conflict', 'invalid'] as const
export type PlannedKind = (typeof PLANNED_KINDS)[number]

/** A decision about one record or one person, before it has its place in the plan. */
export interface PlannedRow {
  readonly kind: PlannedKind
  readonly rowNumber: number | null
  readonly userId: string | null
  /** The case that a conflict waits for. */
  readonly caseId?: string
  /** The version of the person that the plan read. */
  readonly userVersion: number | null
  readonly sourceKey: string | null
  /** As PostgreSQL writes it, `\\x…`. */
  readonly recordHash: string | null
  readonly displayName: string
  readonly employeeId: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  readonly reasons: readonly Reason[]
}

export type PlanCounts = Record<PlannedKind | 'unchanged' | 'outOfScope' | 'ignored', number>

export const noCounts = (): PlanCounts => ({
  create: 0,
  update: 0,
  deactivate: 0,
  reactivate: 0,
  future: 0,
  leave: 0,
  unchanged: 0,
  outOfScope: 0,
  ignored: 0,
  conflict: 0,
  invalid: 0,
})
