import { getGrace, updateGrace as updateGraceEndpoint } from '@instep/contract/grace-period.ts'
import { getPlacement, updatePlacement as updatePlacementEndpoint } from '@instep/contract/placement.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { placementInForce, updatePlacement } from './change-placement.ts'
import { eventActor } from './event-actor.ts'
import { graceInForce, updateGrace } from './grace-period.ts'
import type { SyncDeps } from './sync-deps.ts'

/** The calls of where a source's people work, and how long its leavers are kept. */
export const placementRoutes = (deps: SyncDeps): Route[] => [
  route(getPlacement, ({ tenantId, params }) => placementInForce(deps.db, { tenantId, ...params })),
  route(updatePlacementEndpoint, ({ tenantId, params, body, actor, correlationId }) =>
    updatePlacement(deps, { tenantId, ...params, placement: body, by: eventActor(actor), correlationId }),
  ),
  route(getGrace, ({ tenantId, params }) => graceInForce(deps.db, { tenantId, ...params }, deps.clock.now())),
  route(updateGraceEndpoint, ({ tenantId, params, body, actor, correlationId }) =>
    updateGrace(deps, { tenantId, ...params, grace: body, by: eventActor(actor), correlationId }),
  ),
]
