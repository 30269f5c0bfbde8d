import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findSource, type SourceConnector } from './connector-config.store.ts'

/** The connector, where it is a source; else the problem that says why it is not. */
export const anySource = async (db: Db | Tx, key: { tenantId: string; connectorId: string }, lock = false): Promise<SourceConnector> => {
  const source = await findSource(db, key, lock)
  if (!source) throw problem('NOT_FOUND')
  if (source.kind !== 'source') throw problem('CONNECTOR_KIND_WRONG')
  return source
}

/** The same where it may be used now. */
export const enabledSource = async (
  db: Db | Tx,
  key: { tenantId: string; connectorId: string },
  lock = false,
): Promise<SourceConnector> => {
  const source = await anySource(db, key, lock)
  if (!source.enabled) throw problem('CONNECTOR_DISABLED')
  return source
}
