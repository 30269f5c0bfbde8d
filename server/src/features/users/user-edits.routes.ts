import { bulkMove as bulkMoveEndpoint, getUnassigned } from '@instep/contract/bulk-move.ts'
import * as contract from '@instep/contract/user-edits.ts'
import { getProvenance } from '@instep/contract/user-history.ts'
import { getUser, type UserDetails } from '@instep/contract/users.ts'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { etagOf, readIfMatch } from '../../platform/http/etag.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { bulkMove, countUnassigned } from './bulk-move.ts'
import { createUser } from './create-user.ts'
import type { Change, EditDeps } from './edit-deps.ts'
import { lockUser, markVip, unlockUser } from './mark-user.ts'
import { personDetails } from './open-person.ts'
import { findPerson, type PersonKey } from './person.views.ts'
import { presentProvenance } from './provenance.presenter.ts'
import { broughtFields, mappingOf } from './provenance.views.ts'
import { updateUser } from './update-user.ts'

interface Call {
  readonly actor: Actor
  readonly tenantId: string
  readonly connectorId: string | undefined
  readonly params: { readonly id: string }
}

const keyOf = ({ actor, tenantId, connectorId, params }: Call): PersonKey => ({ tenantId, connectorId, sites: actor.sites, id: params.id })

/** The answer with the version as its ETag. */
const tagged = (reply: FastifyReply, details: UserDetails): UserDetails => {
  reply.header('etag', etagOf(details.version))
  return details
}

/** One person: profile, where its values come from, creation, changes, lock and VIP mark. */
export const userEditsRoutes = ({ clock, ...deps }: EditDeps & { readonly clock: Clock }): Route[] => {
  const changeOf = ({ actor, correlationId }: Omit<Change, 'at'>): Change => ({ actor, correlationId, at: clock.now() })

  return [
    route(getUser, async (call) => tagged(call.reply, await personDetails(deps.db, keyOf(call), { ...deps, actor: call.actor }))),

    route(getProvenance, async (call) => {
      const person = await findPerson(deps.db, keyOf(call))
      if (!person) throw problem('NOT_FOUND')
      const key = { tenantId: call.tenantId, userId: person.id }
      const [brought, mapping] = await Promise.all([broughtFields(deps.db, { ...key, linked: person.linked }), mappingOf(deps.db, key)])
      return { data: presentProvenance({ person, brought, mapping }) }
    }),

    route(contract.createUser, async ({ tenantId, connectorId, actor, body, reply, correlationId }) => {
      const change = changeOf({ actor, correlationId })
      return tagged(reply, await createUser(deps, { tenantId, connectorId, sites: actor.sites, input: body, change }))
    }),

    route(contract.updateUser, async (call) => {
      const ifMatch = readIfMatch(call.request.headers['if-match'])
      return tagged(call.reply, await updateUser(deps, { key: keyOf(call), input: call.body, ifMatch, change: changeOf(call) }))
    }),

    route(contract.lockUser, async (call) =>
      tagged(call.reply, await lockUser(deps, { key: keyOf(call), change: changeOf(call), reason: call.body.reason })),
    ),

    route(contract.unlockUser, async (call) => tagged(call.reply, await unlockUser(deps, { key: keyOf(call), change: changeOf(call) }))),

    route(contract.markVip, async (call) =>
      tagged(call.reply, await markVip(deps, { key: keyOf(call), change: changeOf(call), vip: call.body.vip })),
    ),

    route(bulkMoveEndpoint, (call) => {
      const { tenantId, connectorId, body } = call
      const named = body.connectorId ?? undefined
      // people of two connectors at once are nobody's
      if (connectorId && named && named !== connectorId) throw problem('NOT_FOUND')
      const move = { tenantId, connectorId: connectorId ?? named, siteId: body.targetSiteId, userIds: body.identityIds }
      return bulkMove(deps, { ...move, change: changeOf(call) })
    }),

    route(getUnassigned, ({ tenantId }) => countUnassigned(deps.db, tenantId)),
  ]
}
