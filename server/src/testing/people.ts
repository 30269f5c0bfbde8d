import type { Insertable } from 'kysely'
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

/** Adds people with the columns given and plain ones for the rest; answers their ids in the same order. */
export const addPeople = async (
  db: Db,
  { tenantId, connectorId }: Population,
  people: readonly Partial<Insertable<Users>>[],
): Promise<string[]> => {
  const at = new Date('2026-01-02T03:04:05Z')
  const rows = people.map((person) => {
    const id = uuidv7()
    const { given_name = 'Ada', family_name = 'Byron' } = person
    return {
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
  })
  await db.insertInto('users').values(rows).execute()
  return rows.map((row) => row.id)
}
