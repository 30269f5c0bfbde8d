import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** Whoever calls, as an event names them. */
export const eventActor = (actor: Actor): EventActor => ({ kind: 'admin', id: actor.id, name: actor.name })
