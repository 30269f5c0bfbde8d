import * as contract from '@instep/contract/overrides.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { askedPeople } from '../users/public.ts'
import { startClearing } from './clear-overrides.ts'
import { countByField, countOverrides, type OverridePlace, type OverrideScope, readOverrides } from './overrides.views.ts'

export interface OverridesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly continuation: Continuation
  /** Tells the worker that there is a run to carry out. */
  readonly nudge: () => void
}

/** Overrides across people: seen, counted, taken back. */
export const overridesRoutes = ({ db, clock, continuation, nudge }: OverridesDeps): Route[] => {
  const scopeOf = async (
    { tenantId, actor }: { tenantId: string; actor: Actor },
    { siteId, connectorId, ...asked }: contract.OverrideFilter,
  ): Promise<OverrideScope> => {
    const place = { tenantId, sites: actor.sites, connectorId: undefined }
    const people = await askedPeople({ db, clock }, place, { siteId, connectorId })
    return { tenantId, sites: people.sites, connectorId: people.connectorId, ...asked, at: clock.now() }
  }

  return [
    route(contract.listOverrides, async ({ tenantId, actor, query: { continuationToken, pageSize, ...asked } }) => {
      const scope = await scopeOf({ tenantId, actor }, asked)
      const list = { list: 'overrides', tenantId, asked }
      const after = continuationToken ? (continuation.decode(list, continuationToken) as unknown as OverridePlace) : undefined
      const [rows, count, fields] = await Promise.all([
        readOverrides(db, scope, { after, limit: pageSize + 1 }),
        countOverrides(db, scope),
        countByField(db, scope),
      ])
      const shown = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? shown.at(-1) : undefined
      const token = last ? continuation.encode(list, last.place) : null
      return { data: shown.map(({ override }) => override), continuationToken: token, count, fields }
    }),

    route(contract.clearOverrides, async ({ tenantId, actor, body, correlationId }) => {
      const scope = await scopeOf({ tenantId, actor }, 'filter' in body ? body.filter : {})
      const named = 'overrides' in body ? body.overrides : undefined
      const by = { kind: 'admin' as const, id: actor.id, name: actor.name }
      const runId = await startClearing(db, { scope, named, by, correlationId })
      nudge()
      return { runId }
    }),
  ]
}
