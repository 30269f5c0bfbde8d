import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'

/** Work that comes round by the clock. */
export interface ScheduledJob {
  /** Unique; letters, digits and dots. */
  readonly name: string
  /** Five-field cron expression, UTC. */
  readonly cron: string
  readonly run: () => Promise<void>
}

/**
 * Carries out scheduled jobs on pg-boss: once in the whole installation however many processes run, tried again after a failure, taken over
 * when a process dies.
 *
 * @returns what stops it, after the job in hand is done
 */
export const startScheduledJobs = async (
  jobs: readonly ScheduledJob[],
  { pool, log }: { pool: pg.Pool; log: Log },
): Promise<() => Promise<void>> => {
  const boss = new PgBoss({
    db: { executeSql: async (text: string, values?: unknown[]) => pool.query(text, values) },
    schema: 'pgboss',
  })
  boss.on('error', (error) => log.error({ err: error }, 'scheduled jobs'))
  await boss.start()
  for (const { name, cron, run } of jobs) {
    await boss.createQueue(name, { retryLimit: 3, retryBackoff: true, heartbeatSeconds: 30, policy: 'singleton' })
    await boss.schedule(name, cron)
    await boss.work(name, { pollingIntervalSeconds: 30 }, run)
  }
  return () => boss.stop({ graceful: true, timeout: 10_000 })
}
