import { getTargetSummary, listTargetAccounts, retryTarget } from '@instep/contract/provisioning.ts'
import { permits } from '@instep/contract/roles.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Places } from '../../platform/http/access.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { targetAccounts, targetSummary } from './account.views.ts'
import { retryAccounts } from './retry-accounts.ts'

export interface ProvisioningRouteDeps {
  readonly db: Db
  readonly clock: Clock
  readonly continuation: Continuation
  /** The tenant of a target, and its own permission bits. */
  readonly connectorHome: Places['connectorHome']
  /** Somebody asks for a try at this target; the worker of this process need not wait for its next turn or the end of a pause. */
  readonly nudge: (targetId: string) => void
}

export const provisioningRoutes = ({ db, clock, continuation, nudge, connectorHome }: ProvisioningRouteDeps): Route[] => [
  route(getTargetSummary, async ({ tenantId, params }) => {
    const summary = await targetSummary(db, { tenantId, targetId: params.id, now: clock.now() })
    if (!summary) throw problem('NOT_FOUND')
    return summary
  }),

  route(listTargetAccounts, async ({ tenantId, params, query }) => {
    const scope = [tenantId, listTargetAccounts.id, params.id, query.state]
    const after = query.continuationToken ? String(continuation.decode(scope, query.continuationToken)[0]) : null
    const found = await targetAccounts(db, { tenantId, targetId: params.id, state: query.state, after, limit: query.pageSize + 1 })
    if (!found) throw problem('NOT_FOUND')
    const data = found.slice(0, query.pageSize)
    const last = data.at(-1)
    return { data, continuationToken: last && found.length > data.length ? continuation.encode(scope, [last.userId]) : null }
  }),

  route(retryTarget, async ({ tenantId, params, body, actor, correlationId }) => {
    const home = await connectorHome(params.id)
    if (home?.tenantId === tenantId && !permits('editSettings', home.permissions)) throw problem('PERMISSION_MISSING')
    const retried = await retryAccounts(db, clock, { tenantId, targetId: params.id, cause: body.cause, actor, correlationId })
    if (retried === undefined) throw problem('NOT_FOUND')
    if (retried > 0) nudge(params.id)
    return { retried }
  }),
]
