import { isTenantLevel } from '@instep/contract/roles.ts'
import * as contract from '@instep/contract/settings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { narrowSites } from '../../platform/db/narrow-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { readClaimFields, writeClaimFields } from './claim-fields.store.ts'
import { effectiveDefaults } from './defaults.rules.ts'
import { type DefaultsRecord, insertDefaults, readDefaults, replaceDefaults } from './defaults.store.ts'

interface Shown {
  readonly tenantId: string
  readonly siteId: string | null
  readonly effective: boolean
}

const present = (rows: readonly DefaultsRecord[], { tenantId, siteId, effective }: Shown): contract.Defaults => {
  const row = rows.find(({ site_id }) => site_id === siteId)
  const valuesOf = (id: string | null) => rows.find(({ site_id }) => site_id === id)?.values ?? {}
  return {
    id: row?.id ?? null,
    tenantId,
    siteId,
    values: row?.values ?? {},
    effective: effective ? effectiveDefaults(valuesOf(null), siteId === null ? {} : valuesOf(siteId)) : null,
    updatedAt: row?.updated_at.toISOString() ?? null,
    updatedBy: row?.updated_by.name ?? null,
  }
}

/** Default values of the tenant and its sites, and the security attributes of the activation portal. */
export const settingsRoutes = ({ db, clock }: { db: Db; clock: Clock }): Route[] => {
  const byOf = ({ actor, correlationId }: { actor: Actor; correlationId: string }) => ({
    actor: { kind: 'admin' as const, id: actor.id, name: actor.name },
    at: clock.now(),
    correlationId,
  })

  return [
    route(contract.getDefaults, async ({ tenantId, query: { effective } }) =>
      present(await readDefaults(db, tenantId, null), { tenantId, siteId: null, effective }),
    ),

    route(contract.getSiteDefaults, async ({ tenantId, actor, params: { siteId }, query: { effective } }) => {
      await narrowSites(db, { tenantId, sites: actor.sites }, { siteId })
      return present(await readDefaults(db, tenantId, siteId), { tenantId, siteId, effective })
    }),

    route(contract.createDefaults, async (call) => {
      const { tenantId, actor, body } = call
      if (body.siteId === null && !isTenantLevel(actor.roles)) throw problem('FORBIDDEN')
      await narrowSites(db, { tenantId, sites: actor.sites }, { siteId: body.siteId })
      const row = await db.transaction().execute((tx) => insertDefaults(tx, { tenantId, ...body }, byOf(call)))
      return present([row], { tenantId, siteId: row.site_id, effective: false })
    }),

    route(contract.updateDefaults, async (call) => {
      const { tenantId, actor, params, body } = call
      const asked = { tenantId, sites: actor.sites, id: params.id, values: body.values }
      const row = await db.transaction().execute((tx) => replaceDefaults(tx, asked, byOf(call)))
      if (!row) throw problem('NOT_FOUND')
      return present([row], { tenantId, siteId: row.site_id, effective: false })
    }),

    route(contract.getClaimFields, async ({ tenantId }) => ({ claimFields: await readClaimFields(db, tenantId) })),

    route(contract.setClaimFields, async (call) => {
      const asked = { tenantId: call.tenantId, claimFields: call.body.claimFields }
      return { claimFields: await db.transaction().execute((tx) => writeClaimFields(tx, asked, byOf(call))) }
    }),
  ]
}
