import type { ConfigChange, ConfigFile } from '@instep/contract/config-versions.ts'
import type { ConnectorConfig } from '@instep/contract/connector-config.ts'
import { DEFAULT_GUARDS, guardsLeftOff, guardsTurnedOff } from '@instep/contract/guard-settings.ts'
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

/**
 * The configuration with the guards that it turns off under the name of whoever imports it, each for the reason that the file gives. Throws INVALID
 * where it gives none: no guard goes without a word.
 */
const withReasons = (source: SourceConnector, config: ConnectorConfig, { by, at }: { by: string; at: Date }): ConnectorConfig => {
  const { guard } = config
  if (!guard) return config
  const before = source.config.guard ?? DEFAULT_GUARDS
  const said = new Map(guard.off.map(({ guard: name, reason }) => [name, reason.trim()]))
  const turned = new Set(guardsTurnedOff(before, guard))
  const unsaid = [...turned].find((name) => !said.get(name))
  if (unsaid !== undefined)
    throw problem('INVALID', { fields: { 'config.guard.off': [{ code: 'configGuardUnsaid', params: { guard: unsaid } }] } })
  const off = guardsLeftOff(before, guard, { by, at: at.toISOString(), reason: '' })
  return {
    ...config,
    guard: { ...guard, off: off.map((one) => (turned.has(one.guard) ? { ...one, reason: said.get(one.guard) ?? '' } : one)) },
  }
}

const imported = async (
  db: Db | Tx,
  source: SourceConnector,
  { tenantId, file, ...by }: { tenantId: string; file: ConfigFile; by: string; at: Date },
): Promise<ConnectorConfig> => withReasons(source, await readConfigFile(db, tenantId, file), by)

/** What importing the file would change. Throws as `readConfigFile` does, and INVALID where it turns off a guard and does not say why. */
export const previewImport = async (
  { db, clock }: Pick<SyncDeps, 'db' | 'clock'>,
  { file, by, ...of }: OfConnector & { file: ConfigFile; by: EventActor },
): Promise<{ from: number | null; changes: ConfigChange[] }> => {
  const source = await configuredSource(db, of)
  const config = await imported(db, source, { tenantId: of.tenantId, file, by: by.name, at: clock.now() })
  return { from: source.configVersion, changes: diffConfigs(source.config, config) }
}

/** Puts the file's configuration in force as a new version; answers the number in force. Throws CONFIG_CHANGED, and as `previewImport` does. */
export const importConfig = ({ db, clock }: SyncDeps, { file, ...change }: Changing & { file: ConfigFile }): Promise<number | null> =>
  db.transaction().execute(async (tx) => {
    const source = await seenSource(tx, change)
    const at = clock.now()
    const config = await imported(tx, source, { tenantId: change.tenantId, file, by: change.by.name, at })
    const data = { connector: file.connector ?? '' }
    return putInForce(tx, change, { source, config, at, type: 'connector.config.imported', data })
  })
