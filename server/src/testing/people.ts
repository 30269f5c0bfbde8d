import { columnOf, userFieldNames } from '@instep/contract/user-fields.ts'
import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Users } from '../platform/db/schema.gen.ts'
import { uuidv7 } from '../platform/ids.ts'

/** Where people of a test live. */
export interface Population {
  readonly tenantId: string
  readonly connectorId: string
}

/** Adds a connector without settings and answers its id. */
export const addConnector = async (
  db: Db,
  given: { tenantId: string; name: string; kind?: 'source' | 'target'; ingestionType?: string; definitionId?: string },
): Promise<string> => {
  const id = uuidv7()
  const { tenantId, name, kind = 'source', ingestionType = 'file', definitionId = ingestionType } = given
  await db
    .insertInto('connectors')
    .values({ tenant_id: tenantId, id, name, kind, definition_id: definitionId, ingestion_type: ingestionType })
    .execute()
  return id
}

/** The base that these columns come from, nothing being overridden. */
const baseOf = (row: Readonly<Record<string, unknown>>): string => {
  const values = userFieldNames.map((field) => [field, row[columnOf(field)]] as const)
  const given = values.filter(([, value]) => value !== null && value !== undefined)
  return JSON.stringify({ ...Object.fromEntries(given), active: row['active'] ?? true })
}

/** Adds people with the columns given and plain ones for the rest, their base among them; answers their ids in the same order. */
export const addPeople = async (
  db: Db,
  { tenantId, connectorId }: Population,
  people: readonly Partial<Insertable<Users>>[],
): Promise<string[]> => {
  const at = new Date('2026-01-02T03:04:05Z')
  const rows = people.map((person) => {
    const id = uuidv7()
    const { given_name = 'Ada', family_name = 'Byron' } = person
    const row = {
      tenant_id: tenantId,
      id,
      connector_id: connectorId,
      external_id: `E-${id}`,
      given_name,
      family_name,
      display_name: `${given_name} ${family_name}`,
      created_at: at,
      updated_at: at,
      ...person,
    }
    return { base: baseOf(row), ...row }
  })
  await db.insertInto('users').values(rows).execute()
  return rows.map((row) => row.id)
}

/** Says of people that they come from their connector's source. */
export const linkPeople = async (db: Db, { tenantId, connectorId }: Population, ids: readonly string[]): Promise<void> => {
  await sql`
    insert into source_links (tenant_id, connector_id, source_key, user_id, record_hash, config_version)
    select tenant_id, connector_id, base ->> 'externalId', id, '', 1 from users
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and id = any (${ids}::uuid[])`.execute(db)
}
