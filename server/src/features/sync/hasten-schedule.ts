import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** So long after something was pushed its run starts, so that what is pushed together is read together. */
const MOMENT = 60 * 1000

/**
 * Brings the next run of a source's schedule forward, because something has come. A source without a schedule that is switched on waits to be run by
 * hand; a time that is sooner stays.
 */
export const hastenSchedule = async (db: Db, { connectorId, now }: { connectorId: string; now: Date }): Promise<void> => {
  const soon = new Date(now.getTime() + MOMENT)
  await sql`
    update source_schedules s set next_at = ${soon} from connectors c
    where c.id = ${connectorId} and s.tenant_id = c.tenant_id and s.connector_id = c.id and s.enabled
      and (s.next_at is null or s.next_at > ${soon})`.execute(db)
}
