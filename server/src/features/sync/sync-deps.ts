import type pg from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Continuation } from '../../platform/http/continuation.ts'

/** What the runs of this feature need. */
export interface SyncRunDeps {
  readonly db: Db
  /** COPY and cursors need a connection of their own. */
  readonly pool: pg.Pool
  readonly clock: Clock
  /** Uploaded files lie in its folder `files`, under their id. */
  readonly dataDir: string
  /** Called when people were changed and are owed to the targets. */
  readonly onApplied?: () => void
}

/** What its calls need. */
export interface SyncDeps extends Pick<SyncRunDeps, 'db' | 'pool' | 'clock' | 'dataDir'> {
  readonly maxFileBytes: number
  readonly continuation: Continuation
  /** Wakes the worker that carries out runs. */
  readonly nudge: () => void
}
