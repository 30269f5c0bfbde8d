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

/** What is said of the guards that a configuration turns off. */
interface Said {
  readonly by: string
  readonly at: Date
  /** Why a guard is turned off; empty where nothing was said. */
  readonly reasonOf: (guard: string) => string
}

/** A configuration that names those who turn off its guards. */
interface Reasoned {
  readonly config: ConnectorConfig
  /** The guards that it turns off without a word. */
  readonly unsaid: readonly string[]
}

/** The configuration with the guards that it turns off under the name of whoever puts it in force. */
const withReasons = (source: SourceConnector, config: ConnectorConfig, { by, at, reasonOf }: Said): Reasoned => {
  const [before, after] = [source.config.guard ?? DEFAULT_GUARDS, config.guard ?? DEFAULT_GUARDS]
  const turned = guardsTurnedOff(before, after)
  // what never spoke of guards goes on saying nothing, unless it turns one off by that
  if (!config.guard && turned.length === 0) return { config, unsaid: [] }
  const off = guardsLeftOff(before, after, (guard) => ({ by, at: at.toISOString(), reason: reasonOf(guard) }))
  return { config: { ...config, guard: { ...after, off } }, unsaid: turned.filter((guard) => !reasonOf(guard)) }
}

/** No guard goes without a word. */
const assertSaid = ({ config, unsaid }: Reasoned): ConnectorConfig => {
  if (unsaid.length > 0) throw problem('GUARD_REASON_REQUIRED')
  return config
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
    const config = assertSaid(withReasons(source, older.config, { by: change.by.name, at, reasonOf: () => reason ?? '' }))
    const data = { to: change.version, ...(reason ? { reason } : {}) }
    return (await putInForce(tx, change, { source, config, at, type: 'connector.config.restored', data })) ?? change.version
  })

/** The configuration of a file. What the file says itself about a guard that it turns off comes before the reason given. */
const imported = async (
  db: Db | Tx,
  source: SourceConnector,
  { tenantId, file, reason = '', ...who }: { tenantId: string; file: ConfigFile; reason?: string | undefined; by: string; at: Date },
): Promise<Reasoned> => {
  const config = await readConfigFile(db, tenantId, file)
  const said = new Map(config.guard?.off.map((off) => [off.guard, off.reason.trim()]))
  return withReasons(source, config, { ...who, reasonOf: (guard) => said.get(guard) || reason })
}

/** What importing the file would change, and which guards it would turn off without saying why. Throws as `readConfigFile` does. */
export const previewImport = async (
  { db, clock }: Pick<SyncDeps, 'db' | 'clock'>,
  { file, by, ...of }: OfConnector & { file: ConfigFile; by: EventActor },
): Promise<{ from: number | null; changes: ConfigChange[]; unsaid: string[] }> => {
  const source = await configuredSource(db, of)
  const { config, unsaid } = await imported(db, source, { tenantId: of.tenantId, file, by: by.name, at: clock.now() })
  return { from: source.configVersion, changes: diffConfigs(source.config, config), unsaid: [...unsaid] }
}

/**
 * Puts the file's configuration in force as a new version; answers the number in force. Throws CONFIG_CHANGED, as `readConfigFile` does, and
 * GUARD_REASON_REQUIRED where it turns off a guard and neither it nor the caller says why.
 */
export const importConfig = (
  { db, clock }: SyncDeps,
  { file, reason, ...change }: Changing & { file: ConfigFile; reason: string | undefined },
): Promise<number | null> =>
  db.transaction().execute(async (tx) => {
    const source = await seenSource(tx, change)
    const at = clock.now()
    const config = assertSaid(await imported(tx, source, { tenantId: change.tenantId, file, reason, by: change.by.name, at }))
    const data = { connector: file.connector ?? '', ...(reason ? { reason } : {}) }
    return putInForce(tx, change, { source, config, at, type: 'connector.config.imported', data })
  })
