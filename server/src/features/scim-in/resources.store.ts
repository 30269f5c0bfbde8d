import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { JsonObject } from './json.ts'
import type { Push } from './push.ts'
import { ScimError } from './scim-error.ts'
import type { ResourceKind } from './scim-schemas.ts'
import { foldText, searchDocumentOf } from './search-document.rules.ts'

/** A user or group as it is stored, without what is known of it elsewhere (memberships). */
export interface StoredResource {
  readonly id: string
  readonly resource: JsonObject
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Place {
  readonly tenantId: string
  readonly connectorId: string
}

const TABLES = { User: sql.table('scim_users'), Group: sql.table('scim_groups') } as const
const COLUMNS = sql.raw('r.id, r.resource, r.version, r.created_at as "createdAt", r.updated_at as "updatedAt"')

const within = ({ tenantId, connectorId }: Place) => sql<boolean>`r.tenant_id = ${tenantId} and r.connector_id = ${connectorId}`

/** One resource of a connector. */
export const findResource = async (db: Db | Tx, kind: ResourceKind, key: Place & { id: string }): Promise<StoredResource | undefined> => {
  const { rows } = await sql<StoredResource>`
    select ${COLUMNS} from ${TABLES[kind.name]} r where ${within(key)} and r.id = ${key.id}`.execute(db)
  return rows[0]
}

/** What the indexes are given: the keys that are compared folded, and everything that filters look at. */
const columnsOf = (kind: ResourceKind, resource: JsonObject) => {
  const text = (name: string) => String(resource[name] ?? '')
  return {
    own:
      kind.name === 'User'
        ? { names: sql.raw('user_name_folded, active'), values: sql`${foldText(text('userName'))}, ${resource['active'] === true}` }
        : { names: sql.raw('name_folded'), values: sql`${foldText(text('displayName'))}` },
    externalId: resource['externalId'] === undefined ? null : text('externalId'),
    resource: JSON.stringify(resource),
    search: JSON.stringify(searchDocumentOf(kind, resource)),
  }
}

const refusingTakenName = async <T>(resource: JsonObject, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.constraint !== 'scim_users_name_unique') throw error
    throw new ScimError(409, `Another user has the userName ${String(resource['userName'])}.`, 'uniqueness')
  }
}

/** Stores a new resource. Throws 409 `uniqueness` where a user of the connector has the name already, in whatever case. */
export const insertResource = async ({ tx, by, at, nextChange }: Push, kind: ResourceKind, given: { id: string; resource: JsonObject }) => {
  const { own, externalId, resource, search } = columnsOf(kind, given.resource)
  const { rows } = await refusingTakenName(given.resource, () =>
    sql<StoredResource>`
      insert into ${TABLES[kind.name]} as r
        (tenant_id, connector_id, id, external_id, resource, search, change, created_at, updated_at, ${own.names})
      values (${by.tenantId}, ${by.connectorId}, ${given.id}, ${externalId}, ${resource}, ${search}, ${nextChange()}, ${at}, ${at}, ${own.values})
      returning ${COLUMNS}`.execute(tx),
  )
  return rows[0] as StoredResource
}

/** Stores a resource in place of what it was, as its next version. Throws 409 `uniqueness`. */
export const updateResource = async ({ tx, by, at, nextChange }: Push, kind: ResourceKind, given: { id: string; resource: JsonObject }) => {
  const { own, externalId, resource, search } = columnsOf(kind, given.resource)
  const { rows } = await refusingTakenName(given.resource, () =>
    sql<StoredResource>`
      update ${TABLES[kind.name]} as r
      set external_id = ${externalId}, resource = ${resource}, search = ${search}, change = ${nextChange()}, updated_at = ${at},
        version = r.version + 1, (${own.names}) = row(${own.values})
      where ${within(by)} and r.id = ${given.id}
      returning ${COLUMNS}`.execute(tx),
  )
  return rows[0] as StoredResource
}

/** Removes a resource with its memberships. */
export const deleteResource = async ({ tx, by }: Push, kind: ResourceKind, id: string): Promise<void> => {
  await sql`delete from ${TABLES[kind.name]} r where ${within(by)} and r.id = ${id}`.execute(tx)
}

export interface Listing extends Place {
  readonly condition: RawBuilder<boolean> | undefined
  readonly sortBy: 'id' | 'userName' | 'displayName'
  readonly descending: boolean
  /** From 0. */
  readonly offset: number
  readonly limit: number
}

const SORTS = { id: 'r.id', userName: 'r.user_name_folded', displayName: 'r.name_folded' } as const

/**
 * A page of resources, and how many fit in all. What a filter finds is found first and put in order after, so that a rare value is looked up by its
 * index, whatever the planner thinks of it.
 */
export const listResources = async (db: Db, kind: ResourceKind, listing: Listing): Promise<{ total: number; rows: StoredResource[] }> => {
  const { condition, sortBy, descending, offset, limit } = listing
  const table = TABLES[kind.name]
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const order = sql`${sql.raw(SORTS[sortBy])} ${direction}, r.id ${direction}`
  if (!condition) {
    const counted = sql<{ total: number }>`select count(*)::integer as total from ${table} r where ${within(listing)}`.execute(db)
    const page = sql<StoredResource>`
      select ${COLUMNS} from ${table} r where ${within(listing)} order by ${order} limit ${limit} offset ${offset}`.execute(db)
    const [{ rows: totals }, { rows }] = await Promise.all([counted, page])
    return { total: totals[0]?.total ?? 0, rows }
  }
  const { rows } = await sql<StoredResource & { total: number; found: boolean }>`
    with hits as materialized (select r.* from ${table} r where ${within(listing)} and ${condition}),
      counted as (select count(*)::integer as total from hits),
      page as (select row_number() over (order by ${order}) as place, r.* from hits r order by ${order} limit ${limit} offset ${offset})
    select counted.total, r.id is not null as found, ${COLUMNS} from counted left join page r on true order by r.place`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ found }) => found) }
}
