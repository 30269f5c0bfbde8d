import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { SourceProfile } from './source-profile.ts'
import { SYNC_RUN } from './sync-input.ts'

/** What the source looked like in the connector's last applied run that was not taken back; null where there is none that said. */
export const lastProfile = async (
  db: Db | Tx,
  { tenantId, connectorId }: { tenantId: string; connectorId: string },
): Promise<SourceProfile | null> => {
  const { rows } = await sql<{ profile: unknown }>`
    select source_profile as profile from runs r
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and kind = ${SYNC_RUN}
      and state in ('succeeded', 'partlySucceeded') and source_profile is not null and input -> 'trial' is null
      and input #>> '{fetch,fetched,extent}' is distinct from 'changes' and input -> 'only' is null
      and not exists (select from runs o where o.tenant_id = r.tenant_id and o.input ->> 'undoes' = r.id::text and o.applied > 0)
    order by id desc limit 1`.execute(db)
  return rows[0] ? SourceProfile.parse(rows[0].profile) : null
}
