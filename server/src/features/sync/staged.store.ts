import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

interface OfConnector {
  readonly tenantId: string
  readonly connectorId: string
}

/** Removes what a run staged. */
export const forgetStaged = async (tx: Tx, { tenantId, runId }: { tenantId: string; runId: string }): Promise<void> => {
  await sql`delete from staged_records where tenant_id = ${tenantId} and run_id = ${runId}`.execute(tx)
}

const newest = ({ tenantId, connectorId }: OfConnector) => sql`
  select r.id, r.input ->> 'fileName' as file_name, r.created_at
  from runs r
  where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId} and r.finished_at is not null and r.input -> 'trial' is null
    and r.input -> 'only' is null and exists (select from staged_records s where s.run_id = r.id)
  order by r.id desc limit 1`

/**
 * Removes what runs of this connector staged earlier; the newest finished one's records stay, so that it can be explained and another configuration
 * tried on it.
 */
export const pruneStaged = async (db: Db, of: OfConnector): Promise<void> => {
  const { tenantId, connectorId } = of
  await sql`
    with kept as (${newest(of)}), gone as (
      select id from runs
      where tenant_id = ${tenantId} and connector_id = ${connectorId} and finished_at is not null and id not in (select id from kept)
    )
    delete from staged_records where run_id in (select id from gone)`.execute(db)
}

/** What was staged last and is still there. */
export interface StagedRun {
  readonly runId: string
  readonly fileName: string | null
  readonly createdAt: Date
}

/** The newest finished run of the connector whose records are still staged; what a trial read is none. */
export const newestStaged = async (db: Db | Tx, of: OfConnector): Promise<StagedRun | undefined> => {
  const { rows } = await sql<StagedRun>`
    select id as "runId", file_name as "fileName", created_at as "createdAt" from (${newest(of)}) n`.execute(db)
  return rows[0]
}

/** The names of the columns of what a run staged. */
export const stagedHeader = async (db: Db, { tenantId, runId }: { tenantId: string; runId: string }): Promise<string[] | undefined> => {
  const { rows } = await sql<{ header: string[] | null }>`
    select source_profile -> 'header' as header from runs where tenant_id = ${tenantId} and id = ${runId}`.execute(db)
  return rows[0]?.header ?? undefined
}
