import type { Log } from '../../platform/log.ts'
import { withSource } from './fetch-into-upload.ts'
import { clearSettled, findSourceState, type SourceKey } from './source-states.store.ts'
import type { SyncRunDeps } from './sync-deps.ts'

/** Puts aside at the source what was applied. What fails stays due: the next fetch tries again before it looks for news. */
export const settleSource = async (
  deps: Pick<SyncRunDeps, 'db' | 'openSource'>,
  key: SourceKey,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> => {
  const { settleDue } = await findSourceState(deps.db, key)
  if (settleDue === null) return
  try {
    await withSource(deps, key, async (source) => source.settle?.({ watermark: settleDue }, signal))
    await clearSettled(deps.db, key, settleDue)
  } catch (error) {
    log.warn({ connector: key.connectorId, err: error }, 'what was fetched could not be put aside')
  }
}
