import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findSource, type SourceConnector } from './connector-config.store.ts'

/** The connector, where it is a source of records that may run; else the problem that says why it may not. */
export const sourceForRuns = async (
  db: Db | Tx,
  key: { tenantId: string; connectorId: string },
  lock = false,
): Promise<SourceConnector> => {
  const source = await findSource(db, key, lock)
  if (!source) throw problem('NOT_FOUND')
  if (source.kind !== 'source' || source.definitionId === 'manual') throw problem('CONNECTOR_KIND_WRONG')
  if (!source.enabled) throw problem('CONNECTOR_DISABLED')
  return source
}
