/** A worker in a process of its own that kills itself with SIGKILL, as a power cut or the kernel would. Started by `killed-worker.ts`. */
import { stat, truncate } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFileSource } from '@instep/connectors/file/file-source.ts'
import type { FetchingSource } from '@instep/connectors/kit/fetching-source.ts'
import pg from 'pg'
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log.ts'
import { isOver } from '../../../../platform/runs/run.ts'
import { findRun } from '../../../../platform/runs/run-store.ts'
import { createRunWorker } from '../../../../platform/runs/run-worker.ts'
import { actOnDates } from '../../act-on-dates.ts'
import { runDueSchedules } from '../../run-schedules.ts'
import { syncHandler } from '../../sync-run.ts'
import type { DyingWork } from './killed-worker.ts'

const work = JSON.parse(process.argv[2] ?? '{}') as DyingWork
let statements = 0
let seen = 0

const die = () => process.kill(process.pid, 'SIGKILL')

const textOf = (query: unknown): string => {
  if (typeof query === 'string') return query
  const { text } = (query ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** Dies before a statement is sent, or a moment after. */
const heed = (query: unknown): void => {
  statements += 1
  const { dies } = work
  if (!dies) return
  if ('statement' in dies) {
    if (statements === dies.statement) die()
  } else if ('before' in dies && textOf(query).includes(dies.before)) {
    seen += 1
    if (seen !== (dies.time ?? 1)) return
    if (dies.laterMs === undefined) die()
    else setTimeout(die, dies.laterMs)
  }
}

const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    heed(given[0])
    return query.apply(this, given)
  },
})

const { db, pool, close } = openDatabase({ ...work.database, max: 6 })
const clock = { now: () => new Date(work.now) }

const dieAt = (place: string): void => {
  if (work.dies && 'source' in work.dies && work.dies.source === place) die()
}

/** The source that the work has, at whose steps the worker may die. */
const mortalSource = (source: FetchingSource): FetchingSource => ({
  ...source,
  fetch: async (request) => {
    dieAt('asking')
    const fetched = await source.fetch(request)
    if (work.dies && 'source' in work.dies && work.dies.source === 'halfway') {
      // what a death while bytes come leaves behind, at the same byte each time
      await truncate(request.path, Math.floor((await stat(request.path)).size / 2))
      die()
    }
    dieAt('fetched')
    return fetched
  },
  ...(source.settle && {
    settle: async (fetched, signal) => {
      dieAt('settling')
      await source.settle?.(fetched, signal)
      dieAt('settled')
    },
  }),
})

const openSource = async () => {
  const { settings, folderRoot, hostKey } = work.delivery
  const source = openFileSource(settings, { folderRoot, allowPrivate: true, hostKey, stableSeconds: 0 })
  return source && mortalSource(source)
}

const carryOutRun = async (runId: string): Promise<void> => {
  const fetching = { openSource, maxFileBytes: 2 ** 30 }
  const handler = syncHandler({ db, pool, clock, dataDir: work.dataDir, ...fetching })
  const worker = createRunWorker({ db, clock, log: silentLog, handlers: { sync: handler }, pollMilliseconds: 20 })
  worker.start()
  for (;;) {
    const run = await findRun(db, { tenantId: work.tenantId, runId })
    if (!run || isOver(run.state) || run.state === 'planned' || run.state === 'held') break
    await sleep(20)
  }
  await worker.stop()
}

const { does } = work
if (does === 'dates') await actOnDates(db, clock.now())
else if (does === 'schedules') await runDueSchedules({ db, clock, nudge: () => undefined })
else await carryOutRun(does.run)
await close()
process.stdout.write(JSON.stringify({ statements }))
