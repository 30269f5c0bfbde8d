import {
  applyRun as applyEndpoint,
  cancelRun as cancelEndpoint,
  downloadPlanRows,
  getFile as getFileEndpoint,
  getRun,
  listPlanRows as listPlanEndpoint,
  listRuns as listRunsEndpoint,
  type Run,
  rejectRun as rejectEndpoint,
  startRun as startEndpoint,
  uploadFile as uploadEndpoint,
  watchRun,
} from '@instep/contract/sync.ts'
import { undoRun } from '@instep/contract/undo.ts'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { watch } from '../../platform/runs/watch.ts'
import { configVersionsRoutes } from './config-versions.routes.ts'
import { findSource } from './connector-config.store.ts'
import { applyRun, cancelRun, type Decision, rejectRun } from './decide-run.ts'
import { downloadPlan } from './download-plan.ts'
import { getFile } from './get-file.ts'
import { listPlanRows } from './plan.views.ts'
import { findNamedRun, listRuns, presentRun, sightOfRun, viewRun } from './runs.views.ts'
import { startRun } from './start-run.ts'
import { startUndo } from './start-undo.ts'
import type { SyncDeps } from './sync-deps.ts'
import { uploadFile } from './upload-file.ts'

const WATCH_MILLISECONDS = 300

const eventActor = (actor: Actor): EventActor => ({ kind: 'admin', id: actor.id, name: actor.name })

const fileRoutes = (deps: SyncDeps): Route[] => [
  route(uploadEndpoint, ({ request, tenantId, params, actor, correlationId }) =>
    uploadFile(deps, request, { tenantId, connectorId: params.connectorId, by: eventActor(actor), correlationId }),
  ),
  route(getFileEndpoint, ({ tenantId, params, query }) => getFile(deps, { tenantId, ...params, ...query })),
]

/** The run as it is now; NOT_FOUND where the tenant has none of this id. */
const shown = async ({ db }: SyncDeps, key: { tenantId: string; runId: string }): Promise<Run> => {
  const run = await findNamedRun(db, key)
  if (!run) throw problem('NOT_FOUND')
  return presentRun(run)
}

const decisionRoutes = (deps: SyncDeps): Route[] => {
  const deciding = async (decide: (deps: SyncDeps, decision: Decision) => Promise<unknown>, decision: Decision) => {
    await decide(deps, decision)
    return shown(deps, decision)
  }
  return [
    route(applyEndpoint, ({ tenantId, params, body, actor }) =>
      deciding(applyRun, { tenantId, runId: params.runId, by: eventActor(actor), reason: body.reason }),
    ),
    route(rejectEndpoint, ({ tenantId, params, body, actor }) =>
      deciding(rejectRun, { tenantId, runId: params.runId, by: eventActor(actor), reason: body.reason }),
    ),
    route(undoRun, async ({ tenantId, params, actor, correlationId }) => {
      const { id } = await startUndo(deps, { tenantId, runId: params.runId, by: eventActor(actor), correlationId })
      return shown(deps, { tenantId, runId: id })
    }),
    route(cancelEndpoint, ({ tenantId, params, actor }) => deciding(cancelRun, { tenantId, runId: params.runId, by: eventActor(actor) })),
  ]
}

const runRoutes = (deps: SyncDeps): Route[] => [
  route(startEndpoint, async ({ tenantId, params, body, actor, correlationId }) => {
    const { id } = await startRun(deps, {
      tenantId,
      connectorId: params.connectorId,
      by: eventActor(actor),
      correlationId,
      fileId: body.fileId,
      mapping: body.mapping,
      encoding: body.encoding,
      delimiter: body.delimiter,
    })
    return shown(deps, { tenantId, runId: id })
  }),
  route(listRunsEndpoint, async ({ tenantId, query }) => {
    const { pageSize, continuationToken, connectorId, state } = query
    if (connectorId && !(await findSource(deps.db, { tenantId, connectorId }))) throw problem('NOT_FOUND')
    const scope = ['sync.runs', tenantId, connectorId ?? null, state ?? null]
    const before = continuationToken ? String(deps.continuation.decode(scope, continuationToken)[0]) : undefined
    const runs = await listRuns(deps.db, { tenantId, connectorId, states: state && [state], before, limit: pageSize + 1 })
    const data = runs.slice(0, pageSize)
    return { data, continuationToken: runs.length > pageSize ? deps.continuation.encode(scope, [data.at(-1)?.id]) : null }
  }),
  route(getRun, async ({ tenantId, params }) => {
    const run = await viewRun(deps.db, { tenantId, runId: params.runId })
    if (!run) throw problem('NOT_FOUND')
    return run
  }),
  route(watchRun, async ({ tenantId, params, signal }) => {
    const key = { tenantId, runId: params.runId }
    await shown(deps, key)
    const look = async () => {
      const sight = await sightOfRun(deps.db, key)
      if (!sight) throw problem('NOT_FOUND')
      return sight
    }
    return watch(look, { signal, pollMilliseconds: WATCH_MILLISECONDS })
  }),
]

const planRoutes = (deps: SyncDeps): Route[] => [
  route(listPlanEndpoint, async ({ tenantId, params, query }) => {
    const { runId } = params
    await shown(deps, { tenantId, runId })
    const { pageSize, continuationToken, kind, searchText } = query
    const scope = ['sync.plan', tenantId, runId, kind ?? null, searchText ?? null]
    const after = continuationToken ? Number(deps.continuation.decode(scope, continuationToken)[0]) : 0
    const rows = await listPlanRows(deps.db, { tenantId, runId, kind, searchText, after, limit: pageSize + 1 })
    const data = rows.slice(0, pageSize)
    return { data, continuationToken: rows.length > pageSize ? deps.continuation.encode(scope, [data.at(-1)?.sequence]) : null }
  }),
  route(downloadPlanRows, async ({ tenantId, params, query }) => {
    const { runId } = params
    const run = await shown(deps, { tenantId, runId })
    return {
      contentType: 'text/csv; charset=utf-8',
      fileName: `plan-${run.createdAt.slice(0, 10)}${query.kind ? `-${query.kind}` : ''}.csv`,
      body: downloadPlan(deps.db, { tenantId, runId, kind: query.kind }),
    }
  }),
]

/** The calls of the main job: a file, its plan, the run that applies it. */
export const syncRoutes = (deps: SyncDeps): Route[] => [
  ...fileRoutes(deps),
  ...runRoutes(deps),
  ...planRoutes(deps),
  ...decisionRoutes(deps),
  ...configVersionsRoutes(deps),
]
