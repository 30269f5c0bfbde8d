import { type Deaths, killRound } from '@instep/server/features/sync/testing/kill/kill-rounds.ts'
import type { Death } from '@instep/server/features/sync/testing/kill/killed-worker.ts'
import { freshDatabases } from '../fresh-databases.ts'
import { seeded } from './population.ts'

/** More statements than any part of a run sends; a worker that has none left to die at lives. */
const MOST_STATEMENTS = 70

/** A moment at which a worker dies: before some statement, or while records or a plan are being written. */
const randomDeath = (random: () => number): Death => {
  if (random() < 0.7) return { statement: 3 + Math.floor(random() * MOST_STATEMENTS) }
  return { before: random() < 0.5 ? 'copy "staged_records"' : 'copy "plan_rows"', laterMs: Math.floor(random() * 20) }
}

/**
 * Kills the workers of runs, of their undoing and of the dates' pass at random statements, up to three times a part, and compares the directory with
 * what a small model says.
 */
export const stageRounds = async ({
  rounds,
  seed,
  say,
}: {
  rounds: number
  seed: number
  say: (line: string) => void
}): Promise<{ kills: number; findings: string[] }> => {
  const random = seeded(seed)
  const databases = await freshDatabases()
  const findings: string[] = []
  let kills = 0
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const deaths: Deaths = () => Array.from({ length: Math.floor(random() * 4) }, () => randomDeath(random))
      const report = await killRound(await databases.next(), { people: 12 + Math.floor(random() * 60), deaths })
      const killed = Object.values(report.kills).reduce((sum, count) => sum + count, 0)
      kills += killed
      findings.push(...report.findings.map((finding) => `stage round ${round} of seed ${seed}: ${finding}`))
      say(`stage round ${round}: ${killed} workers killed, ${report.findings.length} findings`)
    }
  } finally {
    await databases.close()
  }
  return { kills, findings }
}
