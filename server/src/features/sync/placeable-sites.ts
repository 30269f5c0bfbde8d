import type { PlaceableSite } from '@instep/contract/place-person.ts'
import { placementFields } from '@instep/contract/place-person.ts'
import type { Placement, PlacementSample } from '@instep/contract/placement.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** The sites of a tenant as placement rules know them. */
export const placeableSites = async (db: Db | Tx, tenantId: string): Promise<PlaceableSite[]> => {
  const { rows } = await sql<PlaceableSite>`
    select id, name, external_code as code, active from sites where tenant_id = ${tenantId} order by name_folded, id`.execute(db)
  return rows
}

const SAMPLE = 50
/** Fields that placement is usually told by, whatever the rules ask for. */
const USUAL = ['locationName', 'department', 'division', 'organization', 'locality', 'country', 'costCenter', 'title']

/** Some active people of a source with what it says of them, those without a site first. */
export const placementSample = async (
  db: Db,
  { tenantId, connectorId }: ConnectorKey,
  { rules }: Placement,
): Promise<PlacementSample[]> => {
  const fields = [...new Set([...USUAL, ...placementFields(rules)])]
  const { rows } = await sql<Omit<PlacementSample, 'values'> & { base: Record<string, unknown> }>`
    (select u.id, u.display_name as "displayName", u.site_id as "siteId", u.base from users u
      where u.tenant_id = ${tenantId} and u.connector_id = ${connectorId} and u.active and u.site_id is null order by u.id limit ${SAMPLE / 2})
    union all
    (select u.id, u.display_name, u.site_id, u.base from users u
      where u.tenant_id = ${tenantId} and u.connector_id = ${connectorId} and u.active and u.site_id is not null
      order by u.id desc limit ${SAMPLE / 2})`.execute(db)
  return rows.map(({ base, ...person }) => ({
    ...person,
    values: Object.fromEntries(
      Object.entries(base).flatMap(([field, value]) =>
        typeof value === 'string' && (fields.includes(field) || field.startsWith('custom')) ? [[field, value]] : [],
      ),
    ),
  }))
}

/** How many active people of a source stand at no site: everybody it has, without those who are counted at sites. */
export const countUnassigned = async (db: Db, { tenantId, connectorId }: ConnectorKey): Promise<number> => {
  const { rows } = await sql<{ people: number }>`
    select coalesce(sum(case when place_id = ${tenantId} then people else -people end), 0)::integer as people
    from people_counts where tenant_id = ${tenantId} and connector_id = ${connectorId} and list_status < 3`.execute(db)
  return rows[0]?.people ?? 0
}
