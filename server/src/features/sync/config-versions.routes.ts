import * as contract from '@instep/contract/config-versions.ts'
import { readIfMatch } from '../../platform/http/etag.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { configuredSource, importConfig, previewImport, restoreVersion } from './change-config.ts'
import { type FullVersion, findVersion, listVersions } from './config-versions.views.ts'
import { diffConfigs } from './diff-config.ts'
import { eventActor } from './event-actor.ts'
import { configFile } from './read-config-file.ts'
import { shownRun } from './runs.views.ts'
import { startTrial } from './start-trial.ts'
import type { SyncDeps } from './sync-deps.ts'

interface VersionKey {
  readonly tenantId: string
  readonly connectorId: string
  readonly version: number
}

const existing = async ({ db }: SyncDeps, key: VersionKey): Promise<FullVersion> => {
  const version = await findVersion(db, key)
  if (!version) throw problem('NOT_FOUND')
  return version
}

const withoutConfig = ({ config: _, ...version }: FullVersion): contract.ConfigVersion => version

const readingRoutes = (deps: SyncDeps): Route[] => [
  route(contract.listConfigVersions, async ({ tenantId, params: { connectorId }, query: { pageSize, continuationToken } }) => {
    await configuredSource(deps.db, { tenantId, connectorId })
    const scope = ['sync.config', tenantId, connectorId]
    const before = continuationToken ? Number(deps.continuation.decode(scope, continuationToken)[0]) : undefined
    const found = await listVersions(deps.db, { tenantId, connectorId, before, limit: pageSize + 1 })
    const data = found.slice(0, pageSize)
    return { data, continuationToken: found.length > pageSize ? deps.continuation.encode(scope, [data.at(-1)?.version]) : null }
  }),
  route(contract.getConfigVersion, async ({ tenantId, params }) => {
    await configuredSource(deps.db, { tenantId, ...params })
    return existing(deps, { tenantId, ...params })
  }),
  route(contract.diffConfigVersions, async ({ tenantId, params, query: { against } }) => {
    await configuredSource(deps.db, { tenantId, ...params })
    const { version, config } = await existing(deps, { tenantId, ...params })
    const number = against ?? version - 1
    const older = number > 0 ? (await existing(deps, { tenantId, ...params, version: number })).config : {}
    return { from: number > 0 ? number : null, to: version, changes: diffConfigs(older, config) }
  }),
  route(contract.exportConfigVersion, async ({ tenantId, params }) => {
    const { name } = await configuredSource(deps.db, { tenantId, ...params })
    const version = await existing(deps, { tenantId, ...params })
    const file = await configFile(deps.db, { tenantId, connector: name, version })
    return {
      contentType: 'application/json; charset=utf-8',
      fileName: `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'connector'}-${version.version}.json`,
      body: (async function* () {
        yield `${JSON.stringify(file, null, 2)}\n`
      })(),
    }
  }),
]

const changingRoutes = (deps: SyncDeps): Route[] => [
  route(contract.restoreConfigVersion, async ({ tenantId, params, body: { reason }, actor, correlationId, request }) => {
    const ifMatch = readIfMatch(request.headers['if-match'])
    const version = await restoreVersion(deps, { tenantId, ...params, reason, by: eventActor(actor), correlationId, ifMatch })
    return withoutConfig(await existing(deps, { tenantId, ...params, version }))
  }),
  route(contract.previewConfig, async ({ tenantId, params, body, actor }) => ({
    ...(await previewImport(deps, { tenantId, ...params, file: body, by: eventActor(actor) })),
    to: null,
  })),
  route(contract.importConfig, async ({ tenantId, params, body: { reason, ...file }, actor, correlationId, request }) => {
    const ifMatch = readIfMatch(request.headers['if-match'])
    const version = await importConfig(deps, { tenantId, ...params, file, reason, by: eventActor(actor), correlationId, ifMatch })
    if (version === null) throw problem('INVALID', { fields: { config: ['configEmpty'] } })
    return withoutConfig(await existing(deps, { tenantId, ...params, version }))
  }),
  route(contract.tryConfigVersion, async ({ tenantId, params, actor, correlationId }) => {
    const { id } = await startTrial(deps, { tenantId, ...params, by: eventActor(actor), correlationId })
    return shownRun(deps.db, { tenantId, runId: id })
  }),
]

/** A source's configuration over time. */
export const configVersionsRoutes = (deps: SyncDeps): Route[] => [...readingRoutes(deps), ...changingRoutes(deps)]
