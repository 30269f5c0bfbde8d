import {
  explainRecord as explainRecordEndpoint,
  explainRun as explainRunEndpoint,
  explainUser as explainUserEndpoint,
} from '@instep/contract/explain.ts'
import { getPlanBreakdown } from '@instep/contract/plan-breakdown.ts'
import { listRunFailures } from '@instep/contract/run-failures.ts'
import { readSourceRecord as sourceRecordEndpoint } from '@instep/contract/source-record.ts'
import {
  applyRun as applyEndpoint,
  cancelRun as cancelEndpoint,
  downloadPlanRows,
  getFile as getFileEndpoint,
  getRun,
  listPlanRows as listPlanEndpoint,
  listRuns as listRunsEndpoint,
  rejectRun as rejectEndpoint,
  startRun as startEndpoint,
  uploadFile as uploadEndpoint,
  watchRun,
} from '@instep/contract/sync.ts'
import { undoRun } from '@instep/contract/undo.ts'
import { narrowSites } from '../../platform/db/narrow-sites.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { watch } from '../../platform/runs/watch.ts'
import { casesRoutes } from './cases.routes.ts'
import { configVersionsRoutes } from './config-versions.routes.ts'
import { findSource } from './connector-config.store.ts'
import { dateRoutes } from './date-holds.routes.ts'
import { applyRun, cancelRun, type Decision, rejectRun } from './decide-run.ts'
import { downloadPlan } from './download-plan.ts'
import { eventActor } from './event-actor.ts'
import { explainRecord } from './explain-record.ts'
import { explainRun, explainUser } from './explain-run.ts'
import { getFile } from './get-file.ts'
import { guardRoutes } from './guards.routes.ts'
import { placementRoutes } from './placement.routes.ts'
import { breakDownPlan, listPlanRows } from './plan.views.ts'
import { planWords } from './plan-words.ts'
import { readSourceRecord } from './read-source-record.ts'
import { reportingLineRoutes } from './reporting-lines.routes.ts'
import { type Cause, runFailures } from './run-failures.views.ts'
import { listRuns, shownRun, sightOfRun, viewRun } from './runs.views.ts'
import { startRun } from './start-run.ts'
import { startUndo } from './start-undo.ts'
import type { SyncDeps } from './sync-deps.ts'
import { uploadFile } from './upload-file.ts'

const WATCH_MILLISECONDS = 300

const fileRoutes = (deps: SyncDeps): Route[] => [
  route(uploadEndpoint, ({ request, tenantId, params, actor, correlationId }) =>
    uploadFile(deps, request, { tenantId, connectorId: params.connectorId, by: eventActor(actor), correlationId }),
  ),
  route(getFileEndpoint, ({ tenantId, params, query }) => getFile(deps, { tenantId, ...params, ...query })),
]

const shown = ({ db }: SyncDeps, key: { tenantId: string; runId: string }) => shownRun(db, key)

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

/** A site that the tenant does not have is none, whoever has it. */
const assertSite = async ({ db }: SyncDeps, { tenantId, siteId }: { tenantId: string; siteId: string | undefined }): Promise<void> => {
  if (siteId && siteId !== 'none') await narrowSites(db, { tenantId, sites: 'all' }, { siteId })
}

const causeOf = ({ cause, field }: { cause?: string | undefined; field?: string | undefined }): Cause | undefined =>
  cause === undefined ? undefined : { code: cause, field }

const planRoutes = (deps: SyncDeps): Route[] => [
  route(listPlanEndpoint, async ({ tenantId, params, query }) => {
    const { runId } = params
    await shown(deps, { tenantId, runId })
    const { pageSize, continuationToken, kind, searchText, siteId, department, cause, field } = query
    await assertSite(deps, { tenantId, siteId })
    const narrowed = [kind, searchText, siteId, department, cause, field].map((part) => part ?? null)
    const scope = ['sync.plan', tenantId, runId, ...narrowed]
    const after = continuationToken ? Number(deps.continuation.decode(scope, continuationToken)[0]) : 0
    const part = { tenantId, runId, kind, siteId, department, cause: causeOf(query) }
    const rows = await listPlanRows(deps.db, { ...part, searchText, after, limit: pageSize + 1 })
    const data = rows.slice(0, pageSize)
    return { data, continuationToken: rows.length > pageSize ? deps.continuation.encode(scope, [data.at(-1)?.sequence]) : null }
  }),
  route(downloadPlanRows, async ({ tenantId, params, query, request }) => {
    const { runId } = params
    const run = await shown(deps, { tenantId, runId })
    await assertSite(deps, { tenantId, siteId: query.siteId })
    return {
      contentType: 'text/csv; charset=utf-8',
      fileName: `plan-${run.createdAt.slice(0, 10)}${query.kind ? `-${query.kind}` : ''}.csv`,
      body: downloadPlan(deps.db, { tenantId, runId, ...query, cause: causeOf(query) }, planWords(request.headers['accept-language'])),
    }
  }),
  route(getPlanBreakdown, async ({ tenantId, params: { runId }, query }) => {
    await shown(deps, { tenantId, runId })
    return breakDownPlan(deps.db, { tenantId, runId, kind: query.kind, cause: causeOf(query) })
  }),
  route(listRunFailures, async ({ tenantId, params: { runId }, query }) => {
    await shown(deps, { tenantId, runId })
    await assertSite(deps, { tenantId, siteId: query.siteId })
    return runFailures(deps.db, { tenantId, runId, ...query })
  }),
]

const explainRoutes = (deps: SyncDeps): Route[] => [
  route(sourceRecordEndpoint, async ({ tenantId, params, signal }) => {
    const asked = { tenantId, connectorId: params.connectorId, userId: params.id, signal }
    return (await readSourceRecord(deps, asked)).record
  }),
  route(explainRunEndpoint, ({ tenantId, params, query }) => explainRun(deps, { tenantId, runId: params.runId, ...query })),
  route(explainUserEndpoint, ({ tenantId, params }) => explainUser(deps, { tenantId, connectorId: params.connectorId, userId: params.id })),
  route(explainRecordEndpoint, ({ tenantId, params, body }) =>
    explainRecord(deps, { tenantId, connectorId: params.connectorId, text: body.text }),
  ),
]

/** The calls of the main job: a file, its plan, the run that applies it. */
export const syncRoutes = (deps: SyncDeps): Route[] => [
  ...fileRoutes(deps),
  ...runRoutes(deps),
  ...planRoutes(deps),
  ...decisionRoutes(deps),
  ...explainRoutes(deps),
  ...dateRoutes(deps),
  ...reportingLineRoutes(deps),
  ...casesRoutes(deps),
  ...guardRoutes(deps),
  ...configVersionsRoutes(deps),
  ...placementRoutes(deps),
]
