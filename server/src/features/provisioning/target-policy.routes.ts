import { permits } from '@instep/contract/roles.ts'
import * as contract from '@instep/contract/target-policy.ts'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { decideRemovals } from './decide-removals.ts'
import { readPolicy } from './policy.store.ts'
import type { ProvisioningRouteDeps } from './provisioning.routes.ts'
import { targetHealth } from './target-health.views.ts'
import { targetName, updatePolicy } from './update-policy.ts'

/** Of one tenant's target, by somebody who may change it. */
interface Asked {
  readonly tenantId: string
  readonly params: { readonly id: string }
  readonly actor: Actor
  readonly correlationId: string
}

const byOf = ({ id, name }: Actor): EventActor => ({ kind: 'admin', id, name })

/** The calls of what is done at a target: its policy, how it does, and removals that wait for a person. */
export const targetPolicyRoutes = ({ db, clock, connectorHome }: Omit<ProvisioningRouteDeps, 'nudge' | 'continuation'>): Route[] => {
  const assertMayEdit = async ({ tenantId, params }: Asked): Promise<void> => {
    const home = await connectorHome(params.id)
    if (home?.tenantId === tenantId && !permits('editSettings', home.permissions)) throw problem('PERMISSION_MISSING')
  }
  const decide = async (
    asked: Asked,
    decision: 'approved' | 'rejected',
    { kind, reason, seen }: { kind: contract.RemovalKind; reason: string; seen?: number | undefined },
  ) => {
    await assertMayEdit(asked)
    const { tenantId, params, actor, correlationId } = asked
    const given = { tenantId, targetId: params.id, kind, decision, reason, seen, by: byOf(actor), correlationId }
    const count = await decideRemovals({ db, clock }, given)
    return { count }
  }
  return [
    route(contract.getTargetPolicy, async ({ tenantId, params }) => {
      const key = { tenantId, targetId: params.id }
      await targetName(db, key)
      return readPolicy(db, key)
    }),
    route(contract.updateTargetPolicy, async (asked) => {
      await assertMayEdit(asked)
      const { tenantId, params, body, actor, correlationId } = asked
      const { policy } = body
      const reason = body.reason || undefined
      return updatePolicy({ db, clock }, { tenantId, targetId: params.id, policy, reason, by: byOf(actor), correlationId })
    }),
    route(contract.getTargetHealth, async ({ tenantId, params }) => {
      const health = await targetHealth(db, { tenantId, targetId: params.id })
      if (!health) throw problem('NOT_FOUND')
      return health
    }),
    route(contract.approveRemovals, (asked) => decide(asked, 'approved', asked.body)),
    route(contract.rejectRemovals, (asked) => decide(asked, 'rejected', asked.body)),
  ]
}
