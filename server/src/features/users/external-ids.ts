import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { refusingDuplicate } from '../../platform/db/refusing-duplicate.ts'
import { type Problem, problem } from '../../platform/http/problem.ts'
import { wrongMessages } from './field-words.ts'

/** The external id is somebody else's. */
export const externalIdTaken = (): Problem => problem('EMFB013', { fields: wrongMessages({ externalId: 'externalIdTaken' }) })

interface InConnector {
  readonly tenantId: string
  /** Or a column that holds it. */
  readonly connectorId: string | RawBuilder<unknown>
}

/**
 * Whether somebody of another source connector has the external id who reaches the same targets. Asked connector by connector, each by its index;
 * the offset keeps the planner from joining everybody.
 */
export const isTakenElsewhere = (
  { tenantId, connectorId }: InConnector,
  externalId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from connectors c
  cross join lateral (
    select from users t where t.tenant_id = c.tenant_id and t.connector_id = c.id and t.external_id = ${externalId} limit 1
  ) other
  where c.tenant_id = ${tenantId} and c.kind = 'source' and c.id <> ${connectorId}
    and exists (select from connectors w where w.tenant_id = ${tenantId} and w.kind = 'target' and w.enabled)
  offset 0
)`

const everyId = (tenantId: string) => sql`hashtextextended(${`external ids ${tenantId}`}, 0)`

/**
 * Refuses an external id that somebody of another source connector has who reaches the same targets. Whoever writes the same id waits here for the
 * other's transaction; within one connector the database refuses the second by itself.
 */
export const claimExternalId = async (tx: Tx, { externalId, ...where }: InConnector & { externalId: string }): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${everyId(where.tenantId)})`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`external id ${where.tenantId} ${externalId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ taken: boolean }>`select ${isTakenElsewhere(where, sql`${externalId}`)} as taken`.execute(tx)
  if (rows[0]?.taken) throw externalIdTaken()
}

/** Keeps external ids from being given out by others until the transaction ends; taken after the people whom it changes are locked. */
export const lockExternalIds = async (tx: Tx, tenantId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${everyId(tenantId)})`.execute(tx)
}

/**
 * Of thousands who are to be added, those whose external id nobody of another source connector has; nobody gives one out until the transaction
 * ends.
 *
 * @param rows a relation with the columns `user_id uuid, doc jsonb`
 */
export const claimExternalIds = async (tx: Tx, where: InConnector, rows: RawBuilder<unknown>): Promise<RawBuilder<unknown>> => {
  await lockExternalIds(tx, where.tenantId)
  return sql`select n.user_id, n.doc from (${rows}) n where not ${isTakenElsewhere(where, sql`n.doc ->> 'externalId'`)}`
}

/** Runs a write of people and turns the database's refusal of an external id into `EMFB013`. */
export const refusingTakenExternalId = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicate({ users_external_id_unique: externalIdTaken() }, write)
