import path from 'node:path'
import { openFile } from '@instep/connectors/file/open-file.ts'
import type { Run } from '@instep/contract/sync.ts'
import type { Figures, Scenario, Sides } from './harness.ts'
import { describe, importAgain, importFile, startWorld, type World } from './import-world.ts'
import { writePeopleFile } from './people-file.ts'

const STAGES = ['read', 'match', 'compare', 'apply'] as const
const BATCH = 5000
const CELLS = 15
const SIZES = '10000,100000,1000000'
const MEGABYTE = 1e6
/** Memory may grow so much from the size before the last to the last. */
const MEMORY_GROWTH = 1.3

/**
 * A directory that is there, and a file in which one person of a hundred has changed, against parsing it and one upsert that leaves equal rows alone;
 * then the same file again, which must write nothing. In several sizes (`--rows 10000,100000,1000000`), of which the table shows the last.
 */
export const syncScenario: Scenario = {
  name: 'sync',
  units: {
    total: 's',
    ...Object.fromEntries(STAGES.map((stage) => [`${stage}: rows a second`, '1/s'])),
    'same file again': 's',
    'memory growth': 'MB',
  },
  prepare: async (options) => {
    const sizes = (options.get('rows') ?? SIZES).split(',').map(Number)
    const sized: Sized[] = []
    for (const people of sizes) sized.push(await prepareSize(people))
    const each = async (side: 'subject' | 'floor'): Promise<Figures> => {
      let last: Figures = {}
      for (const size of sized) {
        last = await size.measure[side]()
        size[side].push(last)
      }
      return last
    }
    const sides: Sides = {
      subject: () => each('subject'),
      floor: () => each('floor'),
      report: async () => [...sized.flatMap(linesOf), ...growth(sized)],
      close: async () => {
        for (const { close } of sized) await close()
      },
    }
    return sides
  },
}

/** A directory of one size and what was measured with it, round by round. */
interface Sized {
  readonly people: number
  readonly subject: Figures[]
  readonly floor: Figures[]
  readonly measure: Readonly<Record<'subject' | 'floor', () => Promise<Figures>>>
  /** The stages of the newest run, in words. */
  readonly told: () => string
  close(): Promise<void>
}

const prepareSize = async (people: number): Promise<Sized> => {
  const world = await startWorld(people)
  const files = [world.file, path.join(world.folder, 'changed.csv')] as const
  await writePeopleFile(files[1], people, 1)
  await importFile(world)
  await createFloor(world)
  await upsert(world, files[0])
  let told = ''
  let idle = (await world.memory()).rss
  const editions = { subject: 0, floor: 0 }
  const next = (side: keyof typeof editions): string => {
    editions[side] += 1
    return files[editions[side] % 2] ?? world.file
  }
  const subject = async (): Promise<Figures> => {
    idle = Math.min(idle, (await world.memory()).rss)
    const file = next('subject')
    const { run, plan, apply } = await importFile(world, file)
    if (run.counts.update !== people / 100) throw new Error(`not one in a hundred changed: ${JSON.stringify(run.counts)}`)
    const { peak } = await world.memory()
    told = describe(`${people} rows`, run)
    const again = await importAgain(world, file)
    if (again.run.counts.unchanged !== people) throw new Error(`something changed: ${JSON.stringify(again.run.counts)}`)
    const times = { total: plan + apply, 'same file again': again.plan + again.apply }
    return { ...times, ...ratesOf(run, people), 'memory growth': (peak - idle) / MEGABYTE }
  }
  const floor = () => upsert(world, next('floor'))
  return { people, subject: [], floor: [], measure: { subject, floor }, told: () => told, close: world.close }
}

/** Rows of the file that went through a stage in a second. */
const ratesOf = (run: Run, people: number): Figures =>
  Object.fromEntries(run.stages.map(({ name, milliseconds }) => [`${name}: rows a second`, people / Math.max(0.001, milliseconds / 1000)]))

/** The middle of a figure over the rounds, without the first, which warms up. */
const middle = (rounds: readonly Figures[], metric: string): number => {
  const sorted = rounds
    .slice(1)
    .flatMap((round) => round[metric] ?? [])
    .sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

const linesOf = ({ people, subject, floor, told }: Sized): string[] => {
  const [total, least] = [middle(subject, 'total'), middle(floor, 'total')]
  const rates = STAGES.map((stage) => `${stage} ${Math.round(middle(subject, `${stage}: rows a second`))}/s`)
  const memory = `memory ${Math.round(middle(subject, 'memory growth'))} MB`
  return [`${people} rows: ${total.toFixed(2)} s, ${(total / least).toFixed(2)} × the floor; ${rates.join(', ')}; ${memory}`, told()]
}

/** What a row costs in each size compared with the first, and whether memory stays as it was. */
const growth = (sized: readonly Sized[]): string[] => {
  const [first, last] = [sized[0], sized.at(-1)]
  if (!first || !last || first === last) return []
  const costOf = ({ people, subject }: Sized) => middle(subject, 'total') / people
  const memoryOf = ({ subject }: Sized) => middle(subject, 'memory growth')
  const before = sized.at(-2) ?? first
  const memory = memoryOf(last) / memoryOf(before)
  return [
    `time of a row from ${first.people} to ${last.people} rows: × ${(costOf(last) / costOf(first)).toFixed(2)}`,
    `memory from ${before.people} to ${last.people} rows: × ${memory.toFixed(2)} (at most ${MEMORY_GROWTH}: ${memory <= MEMORY_GROWTH ? 'holds' : 'DOES NOT HOLD'})`,
  ]
}

const columns = Array.from({ length: CELLS }, (_, place) => `c${place}`)

const createFloor = async ({ database }: World): Promise<void> => {
  await database.query(
    `create table floor_people (${columns.map((name, place) => `${name} text${place === 0 ? ' primary key' : ''}`).join(', ')})`,
  )
}

const STATEMENT = `
  insert into floor_people as f select * from unnest(${columns.map((_, place) => `$${place + 1}::text[]`).join(', ')})
  on conflict (c0) do update set ${columns
    .slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}
  where (${columns.map((name) => `f.${name}`).join(', ')}) is distinct from (${columns.map((name) => `excluded.${name}`).join(', ')})`

/** The floor: the file parsed, and its rows upserted where they differ; what is not the database's time is the reading's. */
const upsert = async ({ database, people }: World, file: string): Promise<Figures> => {
  const begun = performance.now()
  let written = 0
  const source = await openFile({ path: file, name: 'people.csv', encoding: undefined, delimiter: undefined })
  let waiting: (readonly string[])[] = []
  const flush = async () => {
    const rows = waiting
    waiting = []
    const from = performance.now()
    await database.query(
      STATEMENT,
      columns.map((_, place) => rows.map((cells) => cells[place] ?? '')),
    )
    written += performance.now() - from
  }
  for await (const rows of source.rows()) {
    waiting.push(...rows.map(({ cells }) => cells))
    if (waiting.length >= BATCH) await flush()
  }
  if (waiting.length > 0) await flush()
  const milliseconds = performance.now() - begun
  return { total: milliseconds / 1000, 'read: rows a second': people / ((milliseconds - written) / 1000) }
}
