import type { ResponseOf } from '@instep/contract/endpoint.ts'
import type { getRun } from '@instep/contract/sync.ts'

/** A run with how far its people have come at the targets. */
export type WatchedRun = ResponseOf<typeof getRun>
