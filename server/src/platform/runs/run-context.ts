import type { Db, Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import { LeaseLost, patchLeased, RENEW_MILLISECONDS, RunCancelled, renewLease } from './lease.ts'
import type { RunPatch, RunRow } from './run.ts'

/** Progress is written at most this often. */
const PROGRESS_MILLISECONDS = 250

/** What the handler of a run works with. */
export interface RunContext {
  readonly run: RunRow
  /** Aborted with `LeaseLost` or `RunCancelled`, or when the process stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Tells how far the run is; cheap, because it is written now and then. */
  progress(patch: RunPatch): void
  /**
   * Changes the run in the transaction of the work that the change tells of. Throws `LeaseLost` when another worker may have taken over and
   * `RunCancelled` when an administrator was quicker; nothing of the transaction may be kept then.
   */
  commit(tx: Tx, patch: RunPatch): Promise<void>
  /** The same for the run's end, which a cancellation does not keep from being written. */
  conclude(tx: Tx, patch: RunPatch): Promise<void>
}

interface Holding {
  readonly db: Db
  readonly log: Log
  readonly run: RunRow
  readonly owner: string
}

/** Writes the newest progress only, one write at a time; what is told too soon after a write follows when it is time. */
const progressWriter = (write: (patch: RunPatch) => Promise<void>) => {
  let waiting: RunPatch | undefined
  let writing: Promise<void> | undefined
  let writtenAt = 0
  let timer: NodeJS.Timeout | undefined
  const next = (): void => {
    if (writing || timer || !waiting) return
    const wait = writtenAt + PROGRESS_MILLISECONDS - performance.now()
    if (wait > 0) {
      timer = setTimeout(() => {
        timer = undefined
        next()
      }, wait)
      return
    }
    const patch = waiting
    waiting = undefined
    writtenAt = performance.now()
    writing = write(patch).finally(() => {
      writing = undefined
      next()
    })
  }
  return {
    add: (patch: RunPatch): void => {
      waiting = { ...waiting, ...patch }
      next()
    },
    /** Waits for a write under way and hands over what was not written. */
    take: async (): Promise<RunPatch> => {
      // a write that ends may be followed by another at once
      while (writing) await writing
      clearTimeout(timer)
      timer = undefined
      const patch = waiting ?? {}
      waiting = undefined
      writtenAt = performance.now()
      return patch
    },
  }
}

/** Keeps the lease alive while the handler works; `close` when it is done. */
export const openRunContext = ({ db, log, run, owner }: Holding): RunContext & { abort(reason: Error): void; close(): Promise<void> } => {
  const controller = new AbortController()
  const { signal } = controller
  const abort = (reason: Error): void => {
    if (!signal.aborted) controller.abort(reason)
  }
  const heed = ({ cancelRequested }: { cancelRequested: boolean }): void => {
    if (cancelRequested) abort(new RunCancelled(run.id))
  }
  let renewing: Promise<void> | undefined
  const renew = async (): Promise<void> => {
    const lease = await renewLease(db, { run, owner }).catch(() => undefined)
    if (lease) heed(lease)
    else abort(new LeaseLost(run.id))
  }
  const timer = setInterval(() => {
    // a renewal that hangs for a whole interval has failed: the lease would be over before the next could save it
    if (renewing) return abort(new LeaseLost(run.id))
    renewing = renew().finally(() => {
      renewing = undefined
    })
  }, RENEW_MILLISECONDS)
  const writer = progressWriter((patch) => patchLeased(db, { run, owner }, patch).then(heed, abort))
  return {
    run,
    signal,
    log,
    abort,
    progress: writer.add,
    commit: async (tx, patch) => {
      const pending = await writer.take()
      signal.throwIfAborted()
      const { cancelRequested } = await patchLeased(tx, { run, owner }, { ...pending, ...patch })
      if (cancelRequested) throw new RunCancelled(run.id)
    },
    conclude: async (tx, patch) => {
      await patchLeased(tx, { run, owner }, { ...(await writer.take()), ...patch })
    },
    close: async () => {
      clearInterval(timer)
      await writer.take()
      await renewing
    },
  }
}
