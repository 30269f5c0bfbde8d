import type { Definition, Operation } from '@instep/connectors/kit/definition.ts'
import type { NewEvent } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** Who changes somebody, when, in which call. */
export interface Change {
  readonly actor: Actor
  readonly at: Date
  readonly correlationId: string
}

/** What changes of people need of the rest. */
export interface EditDeps {
  readonly db: Db
  readonly definitionOf: (id: string) => Definition | undefined
  /** The id of the tenant's manual connector, which is added where there is none yet. */
  readonly manualConnector: (tx: Tx, given: { tenantId: string; by: EventBy }) => Promise<string>
}

/** Who, when and in which call, as events are told it. */
export type EventBy = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

/** The change as its event tells it. */
export const eventBy = ({ actor, at, correlationId }: Change): EventBy => ({
  actor: { kind: 'admin', id: actor.id, name: actor.name },
  at,
  correlationId,
})

/** Whether people of a connector of this definition can be written to from here. */
export const takes = (definition: Definition | undefined, operation: Operation): boolean =>
  definition?.kind === 'source' && definition.supportedOperations.includes(operation)
