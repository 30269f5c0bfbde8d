import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { refusingDuplicate } from '../../platform/db/refusing-duplicate.ts'
import { type Problem, problem } from '../../platform/http/problem.ts'
import { wrongInWords } from './field-words.ts'

/** The external id is somebody else's. */
export const externalIdTaken = (): Problem => problem('EMFB013', { fields: wrongInWords({ externalId: 'externalIdTaken' }) })

/**
 * Refuses an external id that somebody of another source connector has who reaches the same targets. Whoever writes the same id waits here for the
 * other's transaction; within one connector the database refuses the second by itself.
 */
export const claimExternalId = async (
  tx: Tx,
  { tenantId, connectorId, externalId }: { tenantId: string; connectorId: string; externalId: string },
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`external id ${tenantId} ${externalId}`}, 0))`.execute(tx)
  const { rows } = await sql`
    select from users u
    join connectors c on c.tenant_id = u.tenant_id and c.id = u.connector_id and c.kind = 'source'
    where u.tenant_id = ${tenantId} and u.external_id = ${externalId} and u.connector_id <> ${connectorId}
      and exists (select from connectors t where t.tenant_id = ${tenantId} and t.kind = 'target' and t.enabled)
    limit 1`.execute(tx)
  if (rows.length > 0) throw externalIdTaken()
}

/** Runs a write of people and turns the database's refusal of an external id into `EMFB013`. */
export const refusingTakenExternalId = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicate({ users_external_id_unique: externalIdTaken() }, write)
