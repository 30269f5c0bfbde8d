import * as contract from '@instep/contract/conformance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { findAttributeRules } from './attribute-rules.store.ts'
import { cancelConformance } from './cancel-conformance.ts'
import { lastCheck } from './conformance.store.ts'
import type { OpenTarget } from './open-target.ts'
import { previewAttributes } from './preview-attributes.ts'
import { findScimTarget } from './scim-connector.ts'
import { setAttributeRules } from './set-attribute-rules.ts'
import { startConformance } from './start-conformance.ts'

export interface ScimTargetRouteDeps {
  readonly db: Db
  readonly clock: Clock
  readonly openTarget: OpenTarget
  /** There is a run to carry out. */
  readonly nudgeRuns: () => void
  /** Accounts are to be compared again. */
  readonly nudgeProvisioning: (targetId: string) => void
}

const adminOf = (actor: Actor) => ({ kind: 'admin' as const, id: actor.id, name: actor.name })

/** What a SCIM target supports, and which attributes it gets. */
export const scimTargetRoutes = ({ db, clock, openTarget, nudgeRuns, nudgeProvisioning }: ScimTargetRouteDeps): Route[] => [
  route(contract.startConformance, async ({ tenantId, params: { id }, actor, correlationId }) => {
    const started = { tenantId, id, by: adminOf(actor), at: clock.now(), correlationId }
    await db.transaction().execute((tx) => startConformance(tx, started))
    const run = await lastCheck(db, { tenantId, targetId: id })
    nudgeRuns()
    if (!run) throw new Error('a try that was queued is gone')
    return run
  }),

  route(contract.cancelConformance, async ({ tenantId, params: { id }, actor, correlationId }) => {
    const cancelled = { tenantId, id, by: adminOf(actor), at: clock.now(), correlationId }
    await db.transaction().execute((tx) => cancelConformance(tx, cancelled))
    const run = await lastCheck(db, { tenantId, targetId: id })
    if (!run) throw new Error('a try that was cancelled is gone')
    return run
  }),

  route(contract.getConformance, async ({ tenantId, params: { id } }) => {
    await findScimTarget(db, { tenantId, id })
    return { run: (await lastCheck(db, { tenantId, targetId: id })) ?? null }
  }),

  route(contract.getAttributeRules, async ({ tenantId, params: { id } }) => {
    await findScimTarget(db, { tenantId, id })
    return findAttributeRules(db, { tenantId, id })
  }),

  route(contract.setAttributeRules, async ({ tenantId, params: { id }, body: { rules }, actor, correlationId }) => {
    const change = { tenantId, id, rules, by: adminOf(actor), at: clock.now(), correlationId }
    const stored = await db.transaction().execute((tx) => setAttributeRules(tx, change))
    nudgeProvisioning(id)
    return stored
  }),

  route(contract.previewAttributeRules, async ({ tenantId, params: { id }, body: { rules, userId } }) => {
    await findScimTarget(db, { tenantId, id })
    return previewAttributes(db, { tenantId, userId, rules }, (given) => openTarget(tenantId, id, given))
  }),
]
