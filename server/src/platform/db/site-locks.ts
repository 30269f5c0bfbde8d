import { sql } from 'kysely'
import type { Tx } from './database.ts'

const lockOf = (tenantId: string) => sql`hashtextextended(${`sites ${tenantId}`}, 0)`

/**
 * Keeps the tenant's sites from closing until the transaction ends: whoever puts people at sites takes it before anything else, so that nobody is
 * left at a site that closed meanwhile, and nobody waits for another in a circle.
 */
export const keepSitesOpen = async (tx: Tx, tenantId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(tenantId)})`.execute(tx)
}

/** Waits for everybody who puts people at sites, and keeps others, and other closings, waiting until the transaction ends. */
export const lockSitesForClosing = async (tx: Tx, tenantId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockOf(tenantId)})`.execute(tx)
}
