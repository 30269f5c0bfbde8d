import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { isTransient } from './is-transient.ts'
import { claimRun, LeaseLost, patchLeased, returnRun } from './lease.ts'
import type { RunRow } from './run.ts'
import { openRunContext, type RunContext } from './run-context.ts'

/** Carries out runs of one kind. It is called again after a crash, with the run as it was committed last, and must go on from there. */
export type RunHandler = (context: RunContext) => Promise<void>

export interface RunWorkerOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly handlers: Readonly<Record<string, RunHandler>>
  readonly pollMilliseconds: number
  /** Runs at one time. Default 2. */
  readonly concurrency?: number
}

export interface RunWorker {
  start(): void
  /** Looks for work now instead of at the next poll; nothing before `start`. */
  nudge(): void
  /** Takes no more runs, aborts those under way and gives them back. */
  stop(): Promise<void>
}

/** How long a run rests after the database failed it. */
const RETRY_SECONDS = 1

class Stopping extends Error {}

type Owned = RunWorkerOptions & { readonly owner: string }
type Opened = ReturnType<typeof openRunContext>

const fail = async ({ db, clock, log, owner }: Owned, run: RunRow, error: unknown): Promise<void> => {
  if (error instanceof LeaseLost) return log.warn({ run: run.id }, 'run lost its lease')
  if (error instanceof Stopping || isTransient(error)) {
    log.warn({ run: run.id, err: error }, 'run given back')
    return returnRun(db, { run, owner }, error instanceof Stopping ? 0 : RETRY_SECONDS)
  }
  log.error({ run: run.id, err: error }, 'run failed')
  await patchLeased(db, { run, owner }, { state: 'failed', finishedAt: clock.now(), failure: { code: 'INTERNAL', params: {} } })
}

const carryOut = async (options: Owned, context: Opened): Promise<void> => {
  const { run, signal } = context
  try {
    await options.handlers[run.kind]?.(context)
  } catch (error) {
    // whatever the abort made fail on its way, the abort is the reason
    const reason: unknown = signal.aborted ? signal.reason : error
    await fail(options, run, reason).catch((cause: unknown) => options.log.warn({ run: run.id, err: cause }, 'run could not be given back'))
  } finally {
    await context.close()
  }
}

/** Takes runs that wait, or whose worker died, and carries them out under a lease. */
export const createRunWorker = (given: RunWorkerOptions): RunWorker => {
  const options: Owned = { ...given, owner: randomUUID() }
  const { db, clock, log, handlers, owner } = options
  const opened = new Map<Opened, Promise<void>>()
  // a process that only answers calls creates a worker and never starts it
  let started = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let again = false

  const open = (run: RunRow): void => {
    const context = openRunContext({ db, log: log.child({ run: run.id }), run, owner })
    const work = carryOut(options, context).finally(() => {
      opened.delete(context)
      nudge()
    })
    opened.set(context, work)
  }
  const look = async (): Promise<void> => {
    while (!stopped && opened.size < (given.concurrency ?? 2)) {
      const run = await claimRun(db, { owner, kinds: Object.keys(handlers), at: clock.now() })
      if (!run) return
      open(run)
    }
  }
  const nudge = (): void => {
    if (!started || stopped) return
    if (looking) {
      again = true
      return
    }
    looking = look()
      .catch((error: unknown) => log.warn({ err: error }, 'runs cannot be looked for'))
      .finally(() => {
        looking = undefined
        if (!again) return
        again = false
        nudge()
      })
  }
  return {
    start: () => {
      started = true
      timer ??= setInterval(nudge, given.pollMilliseconds)
      nudge()
    },
    nudge,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await looking
      for (const context of opened.keys()) context.abort(new Stopping('the process stops'))
      await Promise.all(opened.values())
    },
  }
}
