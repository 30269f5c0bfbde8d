import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { from, to } from 'pg-copy-streams'
import type { Figures, Scenario, Sides } from './harness.ts'
import { describe, empty, importAgain, importFile, startWorld, type World } from './import-world.ts'

/** A file of people from upload to the last row applied and pending at the target, against a bare COPY of the same rows into `users`. */
export const importScenario: Scenario = {
  name: 'import',
  units: { total: 's', 'upload to plan': 's', 'approve to applied': 's', 'same file again': 's', 'memory growth': 'MB' },
  prepare: async (options) => {
    const world = await startWorld(Number(options.get('rows') ?? 100_000))
    const stages: string[] = []
    let idle = (await world.memory()).rss
    const subject = async (): Promise<Figures> => {
      await empty(world)
      await world.memory()
      const first = await importFile(world)
      await assertApplied(world)
      const { peak } = await world.memory()
      const again = await importAgain(world)
      stages.push(describe('first', first.run), describe('again', again.run))
      return {
        total: first.plan + first.apply,
        'upload to plan': first.plan,
        'approve to applied': first.apply,
        'same file again': again.plan + again.apply,
        'memory growth': (peak - idle) / 1e6,
      }
    }
    // the rows that the floor copies are the rows that the product makes of the file
    await subject()
    await exportUsers(world)
    idle = Math.min(idle, (await world.memory()).rss)
    const sides: Sides = { subject, floor: () => copyUsers(world), report: async () => stages.slice(-2), close: world.close }
    return sides
  },
}

const assertApplied = async ({ database, people }: World): Promise<void> => {
  const { rows } = await database.query<{ users: number; pending: number }>(`
    select (select count(*)::integer from users) as users, (select count(*)::integer from target_accounts where state = 'pending') as pending`)
  if (rows[0]?.users !== people || rows[0].pending !== people) throw new Error(`of ${people} people: ${JSON.stringify(rows[0])}`)
}

const userColumns = async ({ database }: World): Promise<string> => {
  const { rows } = await database.query<{ columns: string }>(`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = 'users'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
  return rows[0]?.columns ?? ''
}

const copyOf = ({ folder }: World): string => path.join(folder, 'users.copy')

const exportUsers = async (world: World): Promise<void> => {
  const client = await world.database.connect()
  await pipeline(client.query(to(`copy users (${await userColumns(world)}) to stdout`)), createWriteStream(copyOf(world)))
  client.release()
}

/** The floor: the same rows into `users` with all its indexes, by one COPY. */
const copyUsers = async (world: World): Promise<Figures> => {
  await empty(world)
  const columns = await userColumns(world)
  const client = await world.database.connect()
  const begun = performance.now()
  await pipeline(createReadStream(copyOf(world)), client.query(from(`copy users (${columns}) from stdin`)))
  const total = (performance.now() - begun) / 1000
  client.release()
  return { total }
}
