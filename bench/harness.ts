/** Runs a scenario's sides in turn, round by round, so that a machine whose speed drifts is fair to all of them. */

/** Figures of one round, by metric name. */
export type Figures = Record<string, number>

/** What a scenario offers to measure. `floor` does the least that could be done; `peer` is another product's way, where there is one. */
export interface Sides {
  readonly subject: () => Promise<Figures>
  readonly floor: () => Promise<Figures>
  readonly peer?: () => Promise<Figures>
  /** What must hold besides the ratio; each line is printed. */
  readonly report?: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

export interface Scenario {
  readonly name: string
  /** Metric name → unit, in the order of the table. A metric that a side does not give is left blank. */
  readonly units: Readonly<Record<string, string>>
  readonly prepare: (options: ReadonlyMap<string, string>) => Promise<Sides>
}

export interface Result {
  readonly name: string
  readonly unit: string
  readonly subject: number | null
  readonly floor: number | null
  readonly peer: number | null
  /** Median over the rounds of subject divided by floor of the same round. */
  readonly ratio: number | null
}

const median = (values: readonly number[]): number | null => {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]]
  return (low + high) / 2
}

const column = (rounds: readonly Figures[], metric: string): number[] => rounds.flatMap((round) => round[metric] ?? [])

/** @param rounds at least 5; a first round to warm up is not counted */
export const measure = async ({ units }: Scenario, sides: Sides, rounds: number): Promise<Result[]> => {
  const taken = { subject: [] as Figures[], floor: [] as Figures[], peer: [] as Figures[] }
  for (let round = 0; round <= rounds; round++) {
    for (const side of ['floor', 'subject', 'peer'] as const) {
      const figures = await sides[side]?.()
      if (figures && round > 0) taken[side].push(figures)
    }
    process.stderr.write(`round ${round}${round === 0 ? ' (warm-up)' : ` of ${rounds}`}\n`)
  }
  return Object.entries(units).map(([name, unit]) => ({
    name,
    unit,
    subject: median(column(taken.subject, name)),
    floor: median(column(taken.floor, name)),
    peer: median(column(taken.peer, name)),
    ratio: median(taken.subject.flatMap((round, index) => ratioOf(round[name], taken.floor[index]?.[name]))),
  }))
}

const ratioOf = (subject: number | undefined, floor: number | undefined): number[] =>
  subject === undefined || floor === undefined || floor === 0 ? [] : [subject / floor]

const shown = (value: number | null): string => (value === null ? '' : value >= 100 ? value.toFixed(0) : value.toFixed(3))

/** The results as a table for the terminal. */
export const table = (results: readonly Result[]): string => {
  const rows = [
    ['', 'unit', 'subject', 'floor', 'peer', 'ratio'],
    ...results.map(({ name, unit, subject, floor, peer, ratio }) => [
      name,
      unit,
      shown(subject),
      shown(floor),
      shown(peer),
      ratio === null ? '' : ratio.toFixed(2),
    ]),
  ]
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? []
  return rows
    .map((row) => row.map((cell, index) => (index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join('  '))
    .join('\n')
}
