import { downloadFailedRows, listFailedRows, listRunFailures } from '@instep/contract/run-failures.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { downloadPlan } from './download-plan.ts'
import { listPlanRows } from './plan.views.ts'
import { runFailures } from './run-failures.views.ts'
import { shownRun } from './runs.views.ts'
import type { SyncDeps } from './sync-deps.ts'

/** What a run could not carry out, by cause. */
export const runFailuresRoutes = ({ db, continuation }: SyncDeps): Route[] => [
  route(listRunFailures, async ({ tenantId, params: { runId } }) => {
    await shownRun(db, { tenantId, runId })
    return runFailures(db, { tenantId, runId })
  }),
  route(listFailedRows, async ({ tenantId, params: { runId }, query: { pageSize, continuationToken, ...cause } }) => {
    await shownRun(db, { tenantId, runId })
    const scope = ['sync.failures', tenantId, runId, cause.code, cause.field ?? null]
    const after = continuationToken ? Number(continuation.decode(scope, continuationToken)[0]) : 0
    const rows = await listPlanRows(db, { tenantId, runId, cause, after, limit: pageSize + 1 })
    const data = rows.slice(0, pageSize)
    return { data, continuationToken: rows.length > pageSize ? continuation.encode(scope, [data.at(-1)?.sequence]) : null }
  }),
  route(downloadFailedRows, async ({ tenantId, params: { runId }, query: cause }) => {
    const run = await shownRun(db, { tenantId, runId })
    return {
      contentType: 'text/csv; charset=utf-8',
      fileName: `failures-${run.createdAt.slice(0, 10)}.csv`,
      body: downloadPlan(db, { tenantId, runId, cause }),
    }
  }),
]
