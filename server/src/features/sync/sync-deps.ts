import type pg from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import type { OpenSource } from '../connectors/public.ts'

/** What the runs of this feature need. */
export interface SyncRunDeps {
  readonly db: Db
  /** COPY and cursors need a connection of their own. */
  readonly pool: pg.Pool
  readonly clock: Clock
  /** Uploaded files lie in its folder `files`, under their id. */
  readonly dataDir: string
  /** Opens sources that are fetched. */
  readonly openSource: OpenSource
  readonly maxFileBytes: number
  /** Rows of a plan that are carried out in one transaction; 5,000 unless said otherwise. */
  readonly chunk?: number
  /** Called when people were changed and are owed to the targets. */
  readonly onApplied?: () => void
}

/** What its calls need. */
export interface SyncDeps extends Pick<SyncRunDeps, 'db' | 'pool' | 'clock' | 'dataDir' | 'openSource' | 'maxFileBytes'> {
  readonly continuation: Continuation
  /** Wakes the worker that carries out runs. */
  readonly nudge: () => void
}
