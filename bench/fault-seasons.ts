import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '@instep/server/config.ts'
import { faultSeason, OPERATIONS } from '@instep/server/features/provisioning/testing/fault-season.ts'
import { openConfiguredDatabase } from '@instep/server/open-configured-database.ts'
import { migrate } from '@instep/server/platform/db/migrate.ts'

/** Seasons at one time: most of each is waiting for time limits. */
const AT_ONCE = 8

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
    const todo = Array.from({ length: options.seeds }, (_, index) => options.first + index)
      .flatMap((seed) => OPERATIONS.map((operation) => ({ seed, operation })))
      .values()
    const player = async () => {
      for (const season of todo) {
        const played = await faultSeason(db, season)
        requests += played.requests
        for (const finding of played.findings) {
          findings.push(`seed ${season.seed}: ${finding}`)
          options.say(`seed ${season.seed}: ${finding}`)
        }
        done += 1
        if (done % 100 === 0) options.say(`${done} of ${options.seeds * OPERATIONS.length} seasons, ${findings.length} findings`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, player))
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  return { seasons: done, requests, findings }
}
