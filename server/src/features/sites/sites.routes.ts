import { isTenantLevel } from '@instep/contract/roles.ts'
import * as contract from '@instep/contract/sites.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { narrowSites } from '../../platform/db/narrow-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { addSite, changeSite, type SiteChange, type SiteDeps } from './change-site.ts'
import { groupPermits, sitePermits } from './sites.policy.ts'
import { createSiteGroup, renameSiteGroup } from './sites.store.ts'
import { adminExists, closingImpact, findSite, findSiteGroup, listSiteGroups, listSites, type Placed } from './sites.views.ts'

export interface SitesRoutesDeps extends SiteDeps {
  readonly clock: Clock
  readonly continuation: Continuation
  /** Tells the worker that there is a run to carry out. */
  readonly nudge: () => void
}

/** Sites and site groups. */
export const sitesRoutes = (deps: SitesRoutesDeps): Route[] => [...listRoutes(deps), ...groupRoutes(deps), ...siteRoutes(deps)]

/** Whose assignments a list may be narrowed to: one's own, at tenant level any administrator's. */
const assignedTo = async (
  db: Db,
  { tenantId, actor, userId, inherit }: { tenantId: string; actor: Actor; userId: string | undefined; inherit: boolean },
) => {
  if (userId === undefined) return undefined
  if (!(userId === actor.id || (isTenantLevel(actor.roles) && (await adminExists(db, tenantId, userId))))) throw problem('NOT_FOUND')
  return { adminId: userId, inherit }
}

/** One page of what was read with one row more than it holds. */
const cut = <Row extends { id: string }>(rows: readonly Placed<Row>[], pageSize: number, token: (last: Placed<Row>) => string) => {
  const shown = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? shown.at(-1) : undefined
  return { data: shown.map(({ folded: _, ...row }) => row as unknown as Row), continuationToken: last ? token(last) : null }
}

const listRoutes = ({ db, continuation }: SitesRoutesDeps): Route[] => {
  const places = (scope: unknown) => ({
    after: (token: string | undefined) => (token ? (continuation.decode(scope, token) as [string, string]) : undefined),
    token: ({ folded, id }: { folded: string; id: string }) => continuation.encode(scope, [folded, id]),
  })
  return [
    route(contract.listSiteGroups, async ({ tenantId, actor, query: { continuationToken, pageSize, ...asked } }) => {
      const { after, token } = places({ list: 'siteGroups', tenantId, asked })
      const assigned = await assignedTo(db, { tenantId, actor, userId: asked.userId, inherit: false })
      const page = { after: after(continuationToken), limit: pageSize + 1, counted: asked.calculated }
      const rows = await listSiteGroups(
        db,
        { tenantId, sites: actor.sites },
        { searchText: asked.searchText, assignedTo: assigned, ...page },
      )
      return cut(rows, pageSize, token)
    }),

    route(contract.listSites, async ({ tenantId, actor, query: { continuationToken, pageSize, ...asked } }) => {
      const { after, token } = places({ list: 'sites', tenantId, asked })
      const { groupId, inactive, searchText, userId, inherit } = asked
      await narrowSites(db, { tenantId, sites: actor.sites }, { siteGroupId: groupId })
      const assigned = await assignedTo(db, { tenantId, actor, userId, inherit })
      const page = { after: after(continuationToken), limit: pageSize + 1, counted: asked.calculated }
      const query = { groupId, inactive, searchText, assignedTo: assigned, ...page }
      return cut(await listSites(db, { tenantId, sites: actor.sites }, query), pageSize, token)
    }),
  ]
}

const existing = <T>(found: T | undefined): T => {
  if (found === undefined) throw problem('NOT_FOUND')
  return found
}

const changeOf =
  (clock: Clock) =>
  (call: { tenantId: string; actor: Actor; correlationId: string }): SiteChange => ({
    tenantId: call.tenantId,
    sites: call.actor.sites,
    actor: call.actor,
    by: { actor: { kind: 'admin', id: call.actor.id, name: call.actor.name }, at: clock.now(), correlationId: call.correlationId },
  })

const groupRoutes = ({ db, clock }: SitesRoutesDeps): Route[] => {
  const change = changeOf(clock)
  return [
    route(contract.getSiteGroup, async ({ tenantId, actor, params }) => ({
      ...existing(await findSiteGroup(db, { tenantId, sites: actor.sites }, params.id)),
      can: groupPermits(actor),
    })),

    route(contract.createSiteGroup, (call) =>
      db.transaction().execute(async (tx) => {
        const { tenantId, body } = call
        const id = await createSiteGroup(tx, { tenantId, name: body.name }, change(call).by)
        return existing(await findSiteGroup(tx, { tenantId, sites: 'all' }, id))
      }),
    ),

    route(contract.updateSiteGroup, (call) =>
      db.transaction().execute(async (tx) => {
        const { tenantId, body, params } = call
        if (!(await renameSiteGroup(tx, { tenantId, id: params.id, name: body.name }, change(call).by))) throw problem('NOT_FOUND')
        return existing(await findSiteGroup(tx, { tenantId, sites: 'all' }, params.id))
      }),
    ),
  ]
}

const siteRoutes = (deps: SitesRoutesDeps): Route[] => {
  const { db } = deps
  const change = changeOf(deps.clock)
  return [
    route(contract.getSite, async ({ tenantId, actor, params }) => ({
      ...existing(await findSite(db, { tenantId, sites: actor.sites }, params.id)),
      can: sitePermits(actor),
    })),

    route(contract.createSite, (call) => addSite(db, call.body, change(call))),

    route(contract.updateSite, async (call) => {
      const site = await changeSite(deps, { id: call.params.id, update: call.body }, change(call))
      if (site.runId !== null) deps.nudge()
      return site
    }),

    route(contract.getClosingImpact, async ({ tenantId, actor, params }) => {
      const { id } = existing(await findSite(db, { tenantId, sites: actor.sites }, params.id))
      return closingImpact(db, tenantId, id)
    }),
  ]
}
