import type { Log } from '../../platform/log.ts'
import type { Answer } from './record-outcomes.ts'

/** Collects answers and writes them down in batches, one batch at a time. */
export interface Recorder {
  add(answer: Answer): void
  /** Answers waiting or being written. */
  backlog(): number
  /** Resolves when everything that was added before is written. */
  flush(): Promise<void>
}

/** So many answers are not kept waiting for more, and so many are written together at most: those that came while others were written go at once. */
const BATCH = 500
const MOST = 2000
/** How long a single answer waits for company, in milliseconds. */
const PATIENCE = 25

export interface RecorderOptions {
  readonly log: Log
  readonly write: (answers: readonly Answer[]) => Promise<unknown>
  /** Told after every batch, also when it could not be written. */
  readonly written: (answers: readonly Answer[]) => void
}

/**
 * A batch that cannot be written is tried once more and then dropped: its leases run out, and whoever takes the rows over looks the
 * accounts up first.
 */
export const createRecorder = ({ log, write, written }: RecorderOptions): Recorder => {
  let waiting: Answer[] = []
  let writing = 0
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const writeBatch = async (batch: Answer[]) => {
    writing = batch.length
    try {
      await write(batch).catch(() => write(batch))
    } catch (error) {
      log.error({ err: error, answers: batch.length }, 'what targets answered could not be recorded')
    } finally {
      writing = 0
      written(batch)
    }
  }
  const drain = async () => {
    do {
      const batch = waiting.slice(0, MOST)
      waiting = waiting.slice(MOST)
      await writeBatch(batch)
    } while (waiting.length >= BATCH)
  }
  const go = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (!running && waiting.length > 0) {
      running = drain().finally(() => {
        running = undefined
        if (waiting.length > 0) soon()
      })
    }
    return running ?? Promise.resolve()
  }
  const soon = () => {
    timer ??= setTimeout(() => void go(), PATIENCE)
  }
  return {
    add: (answer) => {
      waiting.push(answer)
      if (waiting.length >= BATCH) void go()
      else soon()
    },
    backlog: () => waiting.length + writing,
    flush: async () => {
      while (waiting.length > 0 || running) await go()
    },
  }
}
