import { DELIVERIES, openDelivery } from '@instep/server/features/sync/testing/kill/deliveries.ts'
import { type Deaths, killRound, type Part } from '@instep/server/features/sync/testing/kill/kill-rounds.ts'
import type { Death } from '@instep/server/features/sync/testing/kill/killed-worker.ts'
import { freshDatabases } from '../fresh-databases.ts'
import { seeded } from './population.ts'

/** More statements than any part of a run sends; a worker that has none left to die at lives. */
const MOST_STATEMENTS = 70

const AT_THE_SOURCE = ['asking', 'halfway', 'fetched', 'settling', 'settled'] as const

/** A moment at which a worker dies: before some statement, at its source, or while a file, records or a plan are being written. */
const randomDeath = (random: () => number, part: Part): Death => {
  if (part === 'fetch' || part === 'nothingNew') {
    if (random() < 0.5) return { source: AT_THE_SOURCE[Math.floor(random() * AT_THE_SOURCE.length)] ?? 'asking' }
    if (random() < 0.4) return { before: 'from source_states', time: 2, laterMs: Math.floor(random() * 40) }
  }
  if (random() < 0.7) return { statement: 3 + Math.floor(random() * MOST_STATEMENTS) }
  return { before: random() < 0.5 ? 'copy "staged_records"' : 'copy "plan_rows"', laterMs: Math.floor(random() * 20) }
}

/**
 * Kills those who start and fetch runs, carry them out, undo them, and the dates' pass, at random statements and at the source, up to three times a part, and compares the directory with
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
      const deaths: Deaths = (part) => Array.from({ length: Math.floor(random() * 4) }, () => randomDeath(random, part))
      const delivery = await openDelivery(DELIVERIES[round % DELIVERIES.length] ?? 'folder')
      const report = await killRound({ ...(await databases.next()), delivery }, { people: 12 + Math.floor(random() * 60), deaths })
      await delivery.close()
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
