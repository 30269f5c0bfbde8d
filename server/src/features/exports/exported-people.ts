import { PERMISSIONS } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { askedPeople, type PeopleFilter } from '../users/public.ts'
import type { ExportInput } from './export-input.ts'

/** Connectors whose people may not be exported: an act needs the bit of both masks (decisions.md section 6). */
const closedConnectors = async (db: Db, tenantId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from connectors where tenant_id = ${tenantId} and (permissions & ${PERMISSIONS.exportUsers}) = 0`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The people whom an export means: those of its filter within what its starter saw, and the named ones among them; without those of connectors
 * that admit no export.
 */
export const exportedPeople = async (deps: { db: Db; clock: Clock }, tenantId: string, input: ExportInput): Promise<PeopleFilter> => {
  const { sites, connectorId, filter, userIds, exceptIds = [] } = input
  const people = await askedPeople(deps, { tenantId, sites, connectorId }, filter)
  const closed = await closedConnectors(deps.db, tenantId)
  const conditions = [
    ...(people.condition ? [people.condition] : []),
    ...(userIds ? [sql<boolean>`u.id = any (${userIds}::uuid[])`] : []),
    ...(exceptIds.length > 0 ? [sql<boolean>`u.id <> all (${exceptIds}::uuid[])`] : []),
    ...(closed.length > 0 ? [sql<boolean>`u.connector_id <> all (${closed}::uuid[])`] : []),
  ]
  return { ...people, condition: conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : undefined }
}
