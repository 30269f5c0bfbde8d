import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Person, readPeople } from './account.store.ts'

/** One person as targets get them: the one that is named, else the first. Undefined where there is none. */
export const samplePerson = async (
  db: Db,
  { tenantId, userId }: { tenantId: string; userId?: string | undefined },
): Promise<Person | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from provisioning_users
    where tenant_id = ${tenantId} ${userId === undefined ? sql`order by user_id limit 1` : sql`and user_id = ${userId}`}`.execute(db)
  const [found] = rows
  return found && (await readPeople(db, tenantId, [found.id])).get(found.id)
}
