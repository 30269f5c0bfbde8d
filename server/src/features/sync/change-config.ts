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

interface PuttingInForce {
  readonly by: string
  readonly at: Date
  /** Why a guard is turned off; empty where nothing was said. */
  readonly reasonOf: (guard: string) => string
  /** What is thrown where nothing was said. */
  readonly unsaid: (guard: string) => Error
}

/** The configuration with the guards that it turns off under the name of whoever puts it in force: no guard goes without a word. */
const withReasons = (source: SourceConnector, config: ConnectorConfig, { by, at, reasonOf, unsaid }: PuttingInForce): ConnectorConfig => {
  const [before, after] = [source.config.guard ?? DEFAULT_GUARDS, config.guard ?? DEFAULT_GUARDS]
  const turned = guardsTurnedOff(before, after)
  const silent = turned.find((guard) => !reasonOf(guard))
  if (silent !== undefined) throw unsaid(silent)
  // what never spoke of guards goes on saying nothing, unless it turns one off by that
  if (!config.guard && turned.length === 0) return config
  const off = guardsLeftOff(before, after, (guard) => ({ by, at: at.toISOString(), reason: reasonOf(guard) }))
  return { ...config, guard: { ...after, off } }
}

/**
 * Puts what a version says in force again, as a new version; answers the number in force. What the new version does not say, the older did not say
 * either. Throws NOT_FOUND, CONNECTOR_KIND_WRONG, CONFIG_CHANGED, and GUARD_REASON_REQUIRED where that turns off a guard without a reason.
 */
export const restoreVersion = (
  { db, clock }: SyncDeps,
  { reason, ...change }: Changing & { version: number; reason: string | undefined },
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const source = await seenSource(tx, change)
    const older = await findVersion(tx, change)
    if (!older) throw problem('NOT_FOUND')
    const at = clock.now()
    const unsaid = () => problem('GUARD_REASON_REQUIRED')
    const config = withReasons(source, older.config, { by: change.by.name, at, reasonOf: () => reason ?? '', unsaid })
    const data = { to: change.version, ...(reason ? { reason } : {}) }
    return (await putInForce(tx, change, { source, config, at, type: 'connector.config.restored', data })) ?? change.version
  })

const guardUnsaid = (guard: string): Error =>
  problem('INVALID', { fields: { 'config.guard.off': [{ code: 'configGuardUnsaid', params: { guard } }] } })

/** The configuration of a file, which says itself why it turns off a guard. Throws INVALID where it does not. */
const imported = async (
  db: Db | Tx,
  source: SourceConnector,
  { tenantId, file, ...by }: { tenantId: string; file: ConfigFile; by: string; at: Date },
): Promise<ConnectorConfig> => {
  const config = await readConfigFile(db, tenantId, file)
  const said = new Map(config.guard?.off.map(({ guard, reason }) => [guard, reason.trim()]))
  return withReasons(source, config, { ...by, reasonOf: (guard) => said.get(guard) ?? '', unsaid: guardUnsaid })
}

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
