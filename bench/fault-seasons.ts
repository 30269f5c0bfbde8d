import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '@instep/server/config.ts'
import { OPERATIONS, faultSeasons as playSeasons } from '@instep/server/features/provisioning/testing/fault-season.ts'
import { openConfiguredDatabase } from '@instep/server/open-configured-database.ts'
import { migrate } from '@instep/server/platform/db/migrate.ts'

/** Seeds at one time: most of a season is waiting for time limits. */
const AT_ONCE = 10

export interface FaultSeasons {
  readonly seasons: number
  readonly requests: number
  readonly findings: string[]
}

/** Every fault of a target against every operation, once a seed, on an embedded database of its own. */
export const faultSeasons = async (options: { first: number; seeds: number; say: (line: string) => void }): Promise<FaultSeasons> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'instep-faults-'))
  const { db, close } = await openConfiguredDatabase(
    readConfig({ PUBLIC_URL: 'http://localhost:9', SANDBOX: 'off', LOG_LEVEL: 'warn', DATA_DIR: folder }),
  )
  const findings: string[] = []
  let requests = 0
  let done = 0
  try {
    await migrate(db)
    for (let from = 0; from < options.seeds; from += AT_ONCE) {
      const seeds = Array.from({ length: Math.min(AT_ONCE, options.seeds - from) }, (_, index) => options.first + from + index)
      const played = await playSeasons(
        db,
        seeds.flatMap((seed) => OPERATIONS.map((operation) => ({ seed, operation }))),
      )
      done += played.length
      for (const season of played) {
        requests += season.requests
        findings.push(...season.findings)
        season.findings.forEach(options.say)
      }
      options.say(`${done} of ${options.seeds * OPERATIONS.length} seasons, ${findings.length} findings`)
    }
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  return { seasons: done, requests, findings }
}
