import { permits } from '@instep/contract/roles.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type ConnectorKey, type ConnectorRecord, findConnector, lockConnector } from './connectors.store.ts'

/** Kinds of target that speak SCIM. */
const SCIM_TARGETS: ReadonlySet<string> = new Set(['scim', 'workplace'])

const assertScim = (row: ConnectorRecord | undefined): ConnectorRecord => {
  if (!row) throw problem('NOT_FOUND')
  if (!SCIM_TARGETS.has(row.definition_id)) throw problem('CONNECTOR_KIND_WRONG')
  return row
}

/** A SCIM target. Throws NOT_FOUND and CONNECTOR_KIND_WRONG. */
export const findScimTarget = async (db: Db, key: ConnectorKey): Promise<ConnectorRecord> => assertScim(await findConnector(db, key))

/** The same, locked to be changed. Throws PERMISSION_MISSING too, where the connector's own mask admits no change. */
export const lockScimTarget = async (tx: Tx, key: ConnectorKey): Promise<ConnectorRecord> => {
  const row = assertScim(await lockConnector(tx, key))
  if (!permits('editSettings', row.permissions)) throw problem('PERMISSION_MISSING')
  return row
}
