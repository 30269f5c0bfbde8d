import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Ends everything by which an account is signed in at the embedded provider: sessions, grants, codes, half-finished
 * sign-ins. An access token that is already out stays valid until it expires; the API checks the admin record anyway.
 */
export const endSessions = async (db: Db, sub: string): Promise<void> => {
  await sql`delete from identity_state where account_id = ${sub}`.execute(db)
  await sql`delete from identity_steps where account_id = ${sub}`.execute(db)
}
