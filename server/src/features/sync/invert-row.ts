import { isDeepStrictEqual } from 'node:util'
import type { PlanKind } from '@instep/contract/plan-kinds.ts'

type Values = Readonly<Record<string, unknown>>

/** A row that a run carried out: what the source said of the person before, and what it says from then on. */
export interface AppliedRow {
  readonly kind: PlanKind
  readonly before: Values
  readonly after: Values
}

/** How a row is taken back. */
export interface Inverse {
  /** What the fields that are given back hold now, and what they held before the run. */
  readonly before: Values
  readonly after: Values
  /** Fields that say something else by now, and are left alone. */
  readonly changed: readonly string[]
}

/** What of somebody says that they have left: no date brings them back. */
const LEFT = { active: false, employment: null } as const

/** What a field holds where nobody says anything of it. */
const valueIn = (values: Values, field: string): unknown => values[field] ?? (field === 'active' ? true : null)

/**
 * Takes one row back, field by field: a field that still says what the run wrote says again what it said before; one that says so already needs
 * nothing; any other was changed since and stays. Somebody whom the run created is deactivated, never deleted, and keeps every value. Pure.
 *
 * @param base what the source says of the person now
 */
export const invertRow = ({ kind, before, after }: AppliedRow, base: Values): Inverse => {
  // whoever starts later was created as well, unless there is something before
  const created = kind === 'create' || (kind === 'future' && Object.keys(before).length === 0)
  const inverse: { before: Record<string, unknown>; after: Record<string, unknown>; changed: string[] } = {
    before: {},
    after: {},
    changed: [],
  }
  for (const field of created ? ['active', 'employment'] : Object.keys(after)) {
    const was = created ? LEFT[field as keyof typeof LEFT] : valueIn(before, field)
    const now = valueIn(base, field)
    if (isDeepStrictEqual(now, was)) continue
    if (isDeepStrictEqual(now, valueIn(after, field))) {
      inverse.before[field] = now
      inverse.after[field] = was
    } else inverse.changed.push(field)
  }
  return inverse
}

/** What giving these fields back comes to; undefined where there is none. */
export const inverseKind = ({ after }: Pick<Inverse, 'after'>): 'update' | 'deactivate' | 'reactivate' | undefined => {
  if ('active' in after) return after.active === false ? 'deactivate' : 'reactivate'
  return Object.keys(after).length > 0 ? 'update' : undefined
}
