import { listOpenReferences, listRunCycles } from '@instep/contract/reporting-lines.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { countOpenReferences, openReferences } from '../users/public.ts'
import { listRunCycles as readRunCycles } from './run-cycles.ts'
import { shownRun } from './runs.views.ts'
import type { SyncDeps } from './sync-deps.ts'

/** Who reports to nobody that is known, and who reports in a circle. */
export const reportingLineRoutes = ({ db, continuation }: SyncDeps): Route[] => [
  route(listOpenReferences, async ({ tenantId, params: { connectorId }, query: { pageSize, continuationToken } }) => {
    const scope = [listOpenReferences.id, tenantId, connectorId]
    const after = continuationToken ? String(continuation.decode(scope, continuationToken)[0]) : undefined
    const [found, count] = await Promise.all([
      openReferences(db, { tenantId, connectorId, after, limit: pageSize + 1 }),
      countOpenReferences(db, { tenantId, connectorId }),
    ])
    const data = found.slice(0, pageSize)
    return { data, count, continuationToken: found.length > pageSize ? continuation.encode(scope, [data.at(-1)?.userId]) : null }
  }),
  route(listRunCycles, async ({ tenantId, params: { runId } }) => {
    await shownRun(db, { tenantId, runId })
    return { data: await readRunCycles(db, { tenantId, runId }) }
  }),
]
