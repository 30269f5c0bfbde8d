import type { AcceptedDrift } from '@instep/contract/drift.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'

/** Where a page begins: behind this value of this person. */
export interface AcceptedPosition {
  readonly userId: string
  readonly attribute: string
}

/** Rows `d` as they are named outside. */
const ATTRIBUTE = sql`array_to_string(d.path, '.')`

/** One row's value as JSON, for whoever shows accounts. */
export const acceptedOf = (account: string) => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'attribute', nullif(${ATTRIBUTE}, ''), 'ours', d.ours, 'theirs', d.theirs, 'by', d.by ->> 'name',
      'at', to_char(d.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by d.path)
    from drift_accepted d
    where d.tenant_id = ${sql.ref(`${account}.tenant_id`)} and d.target_id = ${sql.ref(`${account}.target_id`)}
      and d.user_id = ${sql.ref(`${account}.user_id`)}
  ), '[]')`

/** What may differ at a target, by person and attribute. */
export const acceptedDrift = async (
  db: Db,
  { tenantId, targetId, after, limit }: TargetKey & { after: AcceptedPosition | null; limit: number },
): Promise<AcceptedDrift[]> => {
  const { rows } = await sql<Omit<AcceptedDrift, 'at'> & { at: Date }>`
    select
      d.user_id as "userId", u.connector_id as "connectorId", u.display_name as "displayName",
      coalesce(u.employee_number, u.external_id) as "employeeId", nullif(${ATTRIBUTE}, '') as attribute, d.ours, d.theirs,
      d.by ->> 'name' as by, d.at
    from drift_accepted d
    join provisioning_users u on u.tenant_id = d.tenant_id and u.user_id = d.user_id
    where d.tenant_id = ${tenantId} and d.target_id = ${targetId}
      and (${after === null} or (d.user_id, ${ATTRIBUTE}) > (${after?.userId ?? null}::uuid, ${after?.attribute ?? ''}))
    order by d.user_id, ${ATTRIBUTE}
    limit ${limit}`.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}
