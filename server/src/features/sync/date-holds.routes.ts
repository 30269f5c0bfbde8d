import { allowDates as allowEndpoint } from '@instep/contract/date-holds.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { allowDates, listDateHolds, presentDateHold } from './date-holds.ts'
import type { SyncDeps } from './sync-deps.ts'

/** An administrator's word on end dates that wait. */
export const dateRoutes = ({ db, clock }: SyncDeps): Route[] => [
  route(allowEndpoint, async ({ tenantId, params, body, actor, correlationId }) => {
    const key = { tenantId, connectorId: params.connectorId }
    const by = { kind: 'admin' as const, id: actor.id, name: actor.name }
    await allowDates(db, { ...key, at: clock.now(), by, reason: body.reason, correlationId })
    const [hold] = await listDateHolds(db, key)
    if (!hold) throw problem('DATES_NOT_HELD')
    return presentDateHold(hold)
  }),
]
