import path from 'node:path'
import { openFile } from '@instep/connectors/file/open-file.ts'
import type { Run } from '@instep/contract/sync.ts'
import type { Figures, Scenario, Sides } from './harness.ts'
import { describe, importFile, startWorld, type World } from './import-world.ts'
import { writePeopleFile } from './people-file.ts'

const STAGES = ['read', 'match', 'compare', 'apply'] as const
const BATCH = 5000
const CELLS = 15

/** A directory that is there, and a file in which one person of a hundred has changed, against parsing it and one upsert that leaves equal rows alone. */
export const syncScenario: Scenario = {
  name: 'sync',
  units: {
    total: 's',
    ...Object.fromEntries(STAGES.map((stage) => [`${stage}: rows a second`, '1/s'])),
    'memory growth': 'MB',
  },
  prepare: async (options) => {
    const world = await startWorld(Number(options.get('rows') ?? 100_000))
    const files = [world.file, path.join(world.folder, 'changed.csv')] as const
    await writePeopleFile(files[1], world.people, 1)
    await importFile(world)
    await createFloor(world)
    await upsert(world, files[0])
    const told: string[] = []
    let edition = 0
    let idle = (await world.memory()).rss
    const next = (): string => {
      edition += 1
      return files[edition % 2] ?? world.file
    }
    const subject = async (): Promise<Figures> => {
      idle = Math.min(idle, (await world.memory()).rss)
      const { run, plan, apply } = await importFile(world, next())
      if (run.counts.update !== world.people / 100) throw new Error(`not one in a hundred changed: ${JSON.stringify(run.counts)}`)
      const { peak } = await world.memory()
      told.push(describe('run', run))
      return { total: plan + apply, ...ratesOf(run, world.people), 'memory growth': (peak - idle) / 1e6 }
    }
    let floorEdition = 0
    const floor = async (): Promise<Figures> => {
      floorEdition += 1
      const begun = performance.now()
      await upsert(world, files[floorEdition % 2] ?? world.file)
      return { total: (performance.now() - begun) / 1000 }
    }
    const sides: Sides = { subject, floor, report: async () => told.slice(-1), close: world.close }
    return sides
  },
}

/** Rows of the file that went through a stage in a second. */
const ratesOf = (run: Run, people: number): Figures =>
  Object.fromEntries(run.stages.map(({ name, milliseconds }) => [`${name}: rows a second`, people / Math.max(0.001, milliseconds / 1000)]))

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

/** The floor: the file parsed, and its rows upserted where they differ. */
const upsert = async ({ database }: World, file: string): Promise<void> => {
  const source = await openFile({ path: file, name: 'people.csv', encoding: undefined, delimiter: undefined })
  let waiting: (readonly string[])[] = []
  const flush = async () => {
    const rows = waiting
    waiting = []
    await database.query(
      STATEMENT,
      columns.map((_, place) => rows.map((cells) => cells[place] ?? '')),
    )
  }
  for await (const rows of source.rows()) {
    waiting.push(...rows.map(({ cells }) => cells))
    if (waiting.length >= BATCH) await flush()
  }
  if (waiting.length > 0) await flush()
}
