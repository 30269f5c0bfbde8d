import * as contract from '@instep/contract/guard-settings.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { eventActor } from './event-actor.ts'
import { guardedSource } from './guarded-source.ts'
import { protectPerson, unprotectPerson } from './protect-person.ts'
import { countProtected, listProtected } from './protected-people.views.ts'
import type { SyncDeps } from './sync-deps.ts'
import { updateGuards, viewGuards } from './update-guards.ts'

/** The calls of a source's guards: their settings, and the people whom they spare. */
export const guardRoutes = (deps: SyncDeps): Route[] => [
  route(contract.getGuards, ({ tenantId, params }) => viewGuards(deps.db, { tenantId, ...params })),
  route(contract.updateGuards, ({ tenantId, params, body, actor, correlationId }) =>
    updateGuards(deps, {
      tenantId,
      ...params,
      settings: body.settings,
      reason: body.reason || undefined,
      by: eventActor(actor),
      correlationId,
    }),
  ),
  route(contract.listProtectedPeople, async ({ tenantId, params, query }) => {
    const key = { tenantId, ...params }
    await guardedSource(deps.db, key)
    const scope = ['guards.protected', tenantId, params.connectorId]
    const token = query.continuationToken ? deps.continuation.decode(scope, query.continuationToken) : undefined
    const after = token && ([String(token[0]), String(token[1])] as const)
    const found = await listProtected(deps.db, { ...key, after, limit: query.pageSize + 1 })
    const data = found.slice(0, query.pageSize)
    const last = data.at(-1)
    const continuationToken = last && found.length > data.length ? deps.continuation.encode(scope, [last.displayName, last.userId]) : null
    return { data, continuationToken, ...(await countProtected(deps.db, key)) }
  }),
  route(contract.protectPerson, ({ tenantId, params, body, actor, correlationId }) =>
    protectPerson(deps, { tenantId, ...params, reason: body.reason, by: eventActor(actor), correlationId }),
  ),
  route(contract.unprotectPerson, async ({ tenantId, params, body, actor, correlationId }) => {
    await unprotectPerson(deps, { tenantId, ...params, reason: body.reason, by: eventActor(actor), correlationId })
    return undefined
  }),
]
