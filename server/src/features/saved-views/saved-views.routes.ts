import * as contract from '@instep/contract/saved-views.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { addView, changeView, listViews, removeView } from './saved-views.store.ts'

interface Call {
  readonly tenantId: string
  readonly actor: Actor
  readonly correlationId: string
}

/** The caller's own saved views of the people list. */
export const savedViewsRoutes = ({ db, clock }: { db: Db; clock: Clock }): Route[] => {
  const ownerOf = ({ tenantId, actor }: Call) => ({ tenantId, adminId: actor.id })
  const byOf = ({ actor, correlationId }: Call) => ({
    actor: { kind: 'admin' as const, id: actor.id, name: actor.name },
    at: clock.now(),
    correlationId,
  })

  return [
    route(contract.listViews, async (call) => ({ data: await listViews(db, ownerOf(call)) })),

    route(contract.createView, (call) => db.transaction().execute((tx) => addView(tx, ownerOf(call), { ...call.body, by: byOf(call) }))),

    route(contract.updateView, (call) => {
      const { name, state } = call.body
      return db.transaction().execute((tx) => changeView(tx, ownerOf(call), { id: call.params.id, name, state, by: byOf(call) }))
    }),

    route(contract.deleteView, async (call) => {
      await db.transaction().execute((tx) => removeView(tx, ownerOf(call), { id: call.params.id, by: byOf(call) }))
      return undefined
    }),
  ]
}
