import { permits } from '@instep/contract/roles.ts'
import { getTargetGroup, listTargetGroups, listTargetMembers, retryTargetGroups } from '@instep/contract/target-groups.ts'
import { problem } from '../../../platform/http/problem.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import type { ProvisioningRouteDeps } from '../provisioning.routes.ts'
import { targetGroup, targetGroups, targetMembers } from './group.views.ts'
import { retryGroups } from './retry-groups.ts'

/** Groups at targets: what is wanted, what the target confirmed, and why they differ. */
export const targetGroupsRoutes = ({ db, clock, continuation, nudge, connectorHome }: ProvisioningRouteDeps): Route[] => [
  route(listTargetGroups, async ({ tenantId, params, query }) => {
    const scope = [tenantId, listTargetGroups.id, params.id]
    const [nameKey, id] = query.continuationToken ? continuation.decode(scope, query.continuationToken) : []
    const after = id === undefined ? null : { nameKey: String(nameKey), id: String(id) }
    const found = await targetGroups(db, { tenantId, targetId: params.id, after, limit: query.pageSize + 1 })
    if (!found) throw problem('NOT_FOUND')
    const shown = found.slice(0, query.pageSize)
    const last = shown.at(-1)
    return {
      data: shown.map(({ group }) => group),
      continuationToken: last && found.length > shown.length ? continuation.encode(scope, [last.position.nameKey, last.position.id]) : null,
    }
  }),

  route(getTargetGroup, async ({ tenantId, params }) => {
    const group = await targetGroup(db, { tenantId, targetId: params.id, groupId: params.groupId })
    if (!group) throw problem('NOT_FOUND')
    return group
  }),

  route(listTargetMembers, async ({ tenantId, params, query: { state, pageSize, continuationToken } }) => {
    const scope = [tenantId, listTargetMembers.id, params.id, params.groupId, state]
    const after = continuationToken ? String(continuation.decode(scope, continuationToken)[0]) : null
    const found = await targetMembers(db, { tenantId, targetId: params.id, groupId: params.groupId, state, after, limit: pageSize + 1 })
    if (!found) throw problem('NOT_FOUND')
    const data = found.slice(0, pageSize)
    const last = data.at(-1)
    return { data, continuationToken: last && found.length > data.length ? continuation.encode(scope, [last.userId]) : null }
  }),

  route(retryTargetGroups, async ({ tenantId, params, body, actor, correlationId }) => {
    const home = await connectorHome(params.id)
    if (home?.tenantId === tenantId && !permits('editSettings', home.permissions)) throw problem('PERMISSION_MISSING')
    const retried = await retryGroups(db, clock, { tenantId, targetId: params.id, groupId: body.groupId, actor, correlationId })
    if (!retried) throw problem('NOT_FOUND')
    if (retried.groups + retried.members > 0) nudge(params.id)
    return retried
  }),
]
