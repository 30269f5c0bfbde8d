import { permits } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findSource, type SourceConnector } from './connector-config.store.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** The connector, where it is a source that syncs; else the problem that says why it has no guards. */
export const guardedSource = async (db: Db | Tx, key: ConnectorKey, lock = false): Promise<SourceConnector> => {
  const source = await findSource(db, key, lock)
  if (!source) throw problem('NOT_FOUND')
  if (source.kind !== 'source' || source.definitionId === 'manual') throw problem('CONNECTOR_KIND_WRONG')
  return source
}

/** The same, locked, for a change of its settings, which its own mask must admit as well (decisions.md section 6). */
export const guardedSourceToChange = async (tx: Tx, key: ConnectorKey): Promise<SourceConnector> => {
  const source = await guardedSource(tx, key, true)
  const { rows } = await sql<{ permissions: number }>`
    select permissions from connectors where tenant_id = ${key.tenantId} and id = ${key.connectorId}`.execute(tx)
  if (!permits('editSettings', rows[0]?.permissions ?? 0)) throw problem('PERMISSION_MISSING')
  return source
}
