import type { ProtectedPerson } from '@instep/contract/guard-settings.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

interface Row {
  readonly userId: string
  readonly displayName: string
  readonly employeeId: string
  readonly reason: string
  readonly by: string
  readonly at: Date
}

const listed = ({ tenantId, connectorId }: ConnectorKey) => sql<Row>`
  select u.id as "userId", u.display_name as "displayName", coalesce(u.employee_number, u.external_id) as "employeeId", p.reason,
    p.created_by ->> 'name' as by, p.created_at as at
  from protected_people p join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
  where p.tenant_id = ${tenantId} and p.connector_id = ${connectorId}`

const present = ({ at, ...row }: Row): ProtectedPerson => ({ ...row, at: at.toISOString() })

/** One person of a connector's list. */
export const findProtected = async (db: Db | Tx, key: ConnectorKey & { userId: string }): Promise<ProtectedPerson | undefined> => {
  const { rows } = await sql<Row>`${listed(key)} and u.id = ${key.userId}`.execute(db)
  return rows.map(present)[0]
}

/** A connector's list by name; `after`: name and id of the last one of the page before. */
export const listProtected = async (
  db: Db,
  query: ConnectorKey & { after: readonly [name: string, userId: string] | undefined; limit: number },
): Promise<ProtectedPerson[]> => {
  const { after } = query
  const { rows } = await sql<Row>`
    ${listed(query)} ${after ? sql`and (u.display_name collate "C", u.id) > (${after[0]}, ${after[1]}::uuid)` : sql``}
    order by u.display_name collate "C", u.id limit ${query.limit}`.execute(db)
  return rows.map(present)
}

/** How many active people of a connector are protected: by its list, as VIPs, as administrators. */
export const countProtected = async (
  db: Db,
  { tenantId, connectorId }: ConnectorKey,
): Promise<{ total: number; vips: number; admins: number }> => {
  const { rows } = await sql<{ total: number; vips: number; admins: number }>`
    select
      (select count(*) from protected_people where tenant_id = ${tenantId} and connector_id = ${connectorId})::integer as total,
      (select count(*) from users where tenant_id = ${tenantId} and connector_id = ${connectorId} and active and vip)::integer as vips,
      (
        select count(distinct u.id) from admins a
        join users u on u.tenant_id = ${tenantId} and u.connector_id = ${connectorId} and u.active and lower(u.work_email) = lower(a.email)
        where (a.tenant_id = ${tenantId} or a.tenant_id is null) and a.disabled_at is null
      )::integer as admins`.execute(db)
  return rows[0] ?? { total: 0, vips: 0, admins: 0 }
}
