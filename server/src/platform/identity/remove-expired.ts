import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Removes what the embedded provider left behind and nobody can use any more. Call it hourly.
 *
 * @returns how many rows went
 */
export const removeExpired = async (db: Db, now: Date): Promise<number> => {
  const { rows } = await sql<{ removed: string }>`
    with state as (delete from identity_state where expires_at < ${now} returning 1),
         steps as (delete from identity_steps where expires_at < ${now} returning 1),
         links as (delete from identity_setup_links where expires_at < ${now} returning 1)
    select (select count(*) from state) + (select count(*) from steps) + (select count(*) from links) as removed`.execute(db)
  return Number(rows[0]?.removed ?? 0)
}
