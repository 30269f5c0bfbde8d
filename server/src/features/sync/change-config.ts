import type { ConfigChange, ConfigFile } from '@instep/contract/config-versions.ts'
import type { ConnectorConfig } from '@instep/contract/connector-config.ts'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { admits, type IfMatch } from '../../platform/http/etag.ts'
import { problem } from '../../platform/http/problem.ts'
import { replaceConfig } from '../connectors/public.ts'
import { findVersion } from './config-versions.views.ts'
import { findSource, type SourceConnector } from './connector-config.store.ts'
import { changedParts, diffConfigs } from './diff-config.ts'
import { readConfigFile } from './read-config-file.ts'
import type { SyncDeps } from './sync-deps.ts'

interface OfConnector {
  readonly tenantId: string
  readonly connectorId: string
}

/** A change of a source's whole configuration, and who makes it. */
interface Changing extends OfConnector {
  readonly by: EventActor
  readonly correlationId: string
  /** The versions that may be in force; 0: none. */
  readonly ifMatch: IfMatch
}

/** The source whose configuration is looked at or changed. Throws NOT_FOUND and CONNECTOR_KIND_WRONG. */
export const configuredSource = async (db: Db | Tx, of: OfConnector, lock = false): Promise<SourceConnector> => {
  const source = await findSource(db, of, lock)
  if (!source) throw problem('NOT_FOUND')
  if (source.kind !== 'source') throw problem('CONNECTOR_KIND_WRONG')
  return source
}

/** The source, locked, as whoever changes it has seen it. Throws CONFIG_CHANGED as well. */
const seenSource = async (tx: Tx, change: Changing): Promise<SourceConnector> => {
  const source = await configuredSource(tx, change, true)
  const version = source.configVersion ?? 0
  if (!admits(change.ifMatch, version)) throw problem('CONFIG_CHANGED', { params: { version } })
  return source
}

/** Puts a configuration in force as a new version, with its event; nothing where the one in force says the same. Answers the number in force. */
const putInForce = async (
  tx: Tx,
  { tenantId, connectorId, by, correlationId }: Omit<Changing, 'ifMatch'>,
  put: { source: SourceConnector; config: ConnectorConfig; at: Date; type: string; data: Record<string, string | number | null> },
): Promise<number | null> => {
  const { source, config, at, type, data } = put
  const changes = diffConfigs(source.config, config)
  if (changes.length === 0) return source.configVersion
  const keepsMapping = changes.every(({ path: [part] }) => part !== 'mapping' && part !== 'placement')
  const mappingVersion = keepsMapping ? (source.config.mappingVersion ?? source.configVersion ?? undefined) : undefined
  const version = await replaceConfig(tx, { tenantId, connectorId, config, mappingVersion, by, at })
  const said = { name: source.name, version, from: source.configVersion, parts: changedParts(changes).join(', '), ...data }
  await recordEvents(tx, [{ tenantId, at, stream: 'directory', type, correlationId, actor: by, connectorId, data: said }])
  return version
}

/**
 * Puts what a version says in force again, as a new version; answers the number in force. What the new version does not say, the older did not say
 * either. Throws NOT_FOUND, CONNECTOR_KIND_WRONG and CONFIG_CHANGED.
 */
export const restoreVersion = ({ db, clock }: SyncDeps, change: Changing & { version: number }): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const source = await seenSource(tx, change)
    const older = await findVersion(tx, change)
    if (!older) throw problem('NOT_FOUND')
    const put = { source, config: older.config, at: clock.now(), type: 'connector.config.restored', data: { to: change.version } }
    return (await putInForce(tx, change, put)) ?? change.version
  })

/** What importing the file would change. Throws as `readConfigFile` does. */
export const previewImport = async (
  { db }: Pick<SyncDeps, 'db'>,
  { file, ...of }: OfConnector & { file: ConfigFile },
): Promise<{ from: number | null; changes: ConfigChange[] }> => {
  const source = await configuredSource(db, of)
  return { from: source.configVersion, changes: diffConfigs(source.config, await readConfigFile(db, of.tenantId, file)) }
}

/** Puts the file's configuration in force as a new version; answers the number in force. Throws CONFIG_CHANGED, and as `readConfigFile` does. */
export const importConfig = ({ db, clock }: SyncDeps, { file, ...change }: Changing & { file: ConfigFile }): Promise<number | null> =>
  db.transaction().execute(async (tx) => {
    const source = await seenSource(tx, change)
    const config = await readConfigFile(tx, change.tenantId, file)
    const data = { connector: file.connector ?? '' }
    return putInForce(tx, change, { source, config, at: clock.now(), type: 'connector.config.imported', data })
  })
