import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Folds what writers appended to `people_counts` into one row a place, connector and status. One statement: whoever counts meanwhile sees the rows
 * before or the rows after it, which say the same.
 */
export const foldCounts = async (db: Db): Promise<void> => {
  await sql`
    with folded as (
      delete from people_counts n using (
        select tenant_id, place_id, connector_id, list_status from people_counts group by 1, 2, 3, 4 having count(*) > 1 or sum(people) = 0
      ) d
      where (n.tenant_id, n.place_id, n.connector_id, n.list_status) = (d.tenant_id, d.place_id, d.connector_id, d.list_status)
      returning n.*
    )
    insert into people_counts
    select tenant_id, place_id, connector_id, list_status, sum(people) from folded group by 1, 2, 3, 4 having sum(people) <> 0`.execute(db)
}
