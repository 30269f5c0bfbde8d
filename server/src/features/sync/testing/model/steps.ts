/** What may happen between HR and the directory, as data, so that a sequence can be made smaller and replayed. */
import fc from 'fast-check'
import type { LookupKey } from './directory.ts'
import { type Employee, READINGS, type Reading } from './hr.ts'
import type { Crash } from './model-world.ts'
import { RULE_SETS, type RuleSet } from './placement.ts'

/** How a run ends: as it is decided, or not decided yet. */
export type Ending = 'apply' | 'reject' | 'wait'

/** What is wrong with a file: nothing in it, its header alone, or cut after so many of its parts (in thousandths) and a number of cells. */
export type Fault = 'empty' | 'headerOnly' | { readonly cutAt: number; readonly cells: number } | null

export type Trouble = { readonly planning: Crash | 'cancels' | null; readonly applying: Crash | null }

/** Whoever is meant is counted from the first, round and round. */
export type Step =
  | { readonly do: 'hire'; readonly more: Partial<Employee> }
  | { readonly do: 'change'; readonly who: number; readonly what: Partial<Employee> }
  | { readonly do: 'comeOrGo'; readonly who: number }
  | { readonly do: 'writeTwice'; readonly who: number }
  | { readonly do: 'renameKey'; readonly who: number; readonly to: number }
  | { readonly do: 'swapKeys'; readonly who: number; readonly other: number }
  | { readonly do: 'sync'; readonly ends: Ending; readonly reading: Reading | null; readonly fault: Fault; readonly trouble: Trouble }
  | { readonly do: 'syncAgain' }
  | { readonly do: 'decide'; readonly ends: 'apply' | 'reject' }
  | { readonly do: 'undo'; readonly which: number; readonly ends: Ending; readonly trouble: Trouble }
  | { readonly do: 'override'; readonly who: number; readonly field: OverrideField; readonly value: number; readonly days: number | null }
  | { readonly do: 'clearOverride'; readonly who: number; readonly field: OverrideField }
  | { readonly do: 'match'; readonly keys: readonly LookupKey[] }
  | { readonly do: 'place'; readonly rules: RuleSet }
  | { readonly do: 'grace'; readonly days: number }
  | { readonly do: 'answer'; readonly which: number; readonly decision: 'create' | 'ignore' }
  | { readonly do: 'move'; readonly north: boolean }
  | { readonly do: 'time'; readonly hours: number }

const STARTS = ['', '2024-01-01', '2026-03-03', '2026-03-05', '2026-03-08', '2026-02-31'] as const
const ENDS = ['', '2025-12-31', '2026-03-02', '2026-03-04', '2026-03-06'] as const

/** Values that an administrator may set; null clears. */
export const OVERRIDES = {
  department: ['Kitchen', 'Bakery', 'Office', null],
  givenName: ['Ada', 'Grace', 'Eve'],
  locationName: ['North', 'South', 'Elsewhere', null],
  startDate: ['2024-01-01', '2026-03-04', '2026-03-07', null],
  endDate: ['2026-03-01', '2026-03-03', '2026-03-09', null],
  active: [true, false],
} as const
export type OverrideField = keyof typeof OVERRIDES

const who = fc.nat(11)
const field = fc.constantFrom(...(Object.keys(OVERRIDES) as OverrideField[]))
const ending = fc.oneof({ weight: 6, arbitrary: fc.constant('apply' as const) }, fc.constantFrom('reject' as const, 'wait' as const))

const part = <Key extends keyof Employee>(key: Key, ...values: string[]) =>
  fc.constantFrom(...values).map((value): Partial<Employee> => ({ [key]: value }))
const change = fc.oneof(
  part('first', 'Ada', 'Eve', 'Grace', ''),
  part('last', 'Byron', 'Hopper'),
  part('dept', 'Kitchen', 'Bakery', 'Office', ''),
  part('team', 'Blue', 'Red', 'Kitchen'),
  part('store', 'North', 'South', ' north', 'Elsewhere', ''),
  part('boss', 'E1', 'E2', 'E3', 'N4', 'e5@example.com', 'R1', 'Nobody', ''),
  part('start', ...STARTS),
  part('end', ...ENDS),
  part('number', 'N1', 'N2', 'n-3', 'N44', ''),
  part('mail', 'other@example.com', 'e1@example.com', ''),
)

const crash = fc.record<Crash>({ at: fc.constantFrom('progress', 'beforeCommit', 'inCommit', 'applied'), after: fc.nat(4) })
const never = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
const trouble = fc.record<Trouble>({
  planning: never(fc.oneof({ weight: 3, arbitrary: crash }, { weight: 1, arbitrary: fc.constant('cancels' as const) })),
  applying: never(crash),
})
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 10, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('empty' as const, 'headerOnly' as const) },
  { weight: 2, arbitrary: fc.record({ cutAt: fc.nat(1000), cells: fc.nat(10) }) },
)
const keys = fc.constantFrom<readonly LookupKey[]>(
  ['ExternalId'],
  ['ExternalId', 'EmployeeId'],
  ['EmployeeId normalised', 'ExternalId'],
  [],
)

const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })
const step = fc.oneof(
  weighted(3, fc.record({ do: fc.constant('hire' as const), more: fc.oneof(fc.constant({}), change) })),
  weighted(8, fc.record({ do: fc.constant('change' as const), who, what: change })),
  weighted(5, fc.record({ do: fc.constant('comeOrGo' as const), who })),
  weighted(1, fc.record({ do: fc.constant('writeTwice' as const), who })),
  weighted(4, fc.record({ do: fc.constant('renameKey' as const), who, to: fc.nat(14) })),
  weighted(1, fc.record({ do: fc.constant('swapKeys' as const), who, other: who })),
  weighted(20, fc.record({ do: fc.constant('sync' as const), ends: ending, reading: never(fc.constantFrom(...READINGS)), fault, trouble })),
  weighted(2, fc.record({ do: fc.constant('syncAgain' as const) })),
  weighted(
    5,
    fc.record({ do: fc.constant('decide' as const), ends: fc.constantFrom('apply' as const, 'apply' as const, 'reject' as const) }),
  ),
  weighted(5, fc.record({ do: fc.constant('undo' as const), which: fc.nat(5), ends: ending, trouble })),
  weighted(
    7,
    fc.record({ do: fc.constant('override' as const), who, field, value: fc.nat(3), days: fc.option(fc.nat(3), { nil: null, freq: 2 }) }),
  ),
  weighted(2, fc.record({ do: fc.constant('clearOverride' as const), who, field })),
  weighted(3, fc.record({ do: fc.constant('match' as const), keys })),
  weighted(5, fc.record({ do: fc.constant('place' as const), rules: fc.constantFrom(...RULE_SETS) })),
  weighted(1, fc.record({ do: fc.constant('grace' as const), days: fc.constantFrom(0, 7, 30) })),
  weighted(
    3,
    fc.record({ do: fc.constant('answer' as const), which: fc.nat(3), decision: fc.constantFrom('create' as const, 'ignore' as const) }),
  ),
  weighted(2, fc.record({ do: fc.constant('move' as const), north: fc.boolean() })),
  weighted(8, fc.record({ do: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 40 }) })),
)

/** Sequences of what happens, after a first load. */
export const sequences = (longest: number): fc.Arbitrary<Step[]> => fc.array(step, { minLength: 3, maxLength: longest, size: 'max' })
