import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { refusingDuplicate } from '../../platform/db/refusing-duplicate.ts'
import type { ConnectorHome } from '../../platform/http/access.ts'

/** A connector as the database holds it. */
export interface ConnectorRecord {
  tenant_id: string
  id: string
  name: string
  definition_id: string
  kind: string
  ingestion_type: string
  enabled: boolean
  properties: unknown
  /** Encrypted JSON object of the secret properties. */
  secrets: Buffer | null
  secrets_set: string[]
  permissions: number
  config_version: number | null
  created_at: Date
}

const COLUMNS = [
  'tenant_id',
  'id',
  'name',
  'definition_id',
  'kind',
  'ingestion_type',
  'enabled',
  'properties',
  'secrets',
  'secrets_set',
  'permissions',
  'config_version',
  'created_at',
] as const

export interface ConnectorKey {
  readonly tenantId: string
  readonly id: string
}

/** One connector. */
export const findConnector = (db: Db, { tenantId, id }: ConnectorKey): Promise<ConnectorRecord | undefined> =>
  db.selectFrom('connectors').select(COLUMNS).where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst()

/** One connector, locked against other changes until the transaction ends; rows that name it may be added meanwhile. */
export const lockConnector = (tx: Tx, { tenantId, id }: ConnectorKey): Promise<ConnectorRecord | undefined> =>
  tx.selectFrom('connectors').select(COLUMNS).where('tenant_id', '=', tenantId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export interface ConnectorValues {
  readonly name: string
  readonly enabled: boolean
  readonly properties: Readonly<Record<string, unknown>>
  readonly secrets: Buffer | null
  readonly secretsSet: readonly string[]
  /** Bits of decisions.md section 6. */
  readonly permissions: number
}

const columnsOf = ({ name, enabled, properties, secrets, secretsSet, permissions }: ConnectorValues) => ({
  name,
  enabled,
  properties: JSON.stringify(properties),
  secrets,
  secrets_set: [...secretsSet],
  permissions,
})

export interface NewConnectorRow extends ConnectorKey, ConnectorValues {
  readonly definitionId: string
  readonly kind: string
  readonly ingestionType: string
  readonly createdAt: Date
}

/** Adds a connector; throws `CONNECTOR_NAME_TAKEN`. */
export const insertConnector = (tx: Tx, row: NewConnectorRow): Promise<ConnectorRecord> =>
  refusingTakenName(() =>
    tx
      .insertInto('connectors')
      .values({
        ...columnsOf(row),
        tenant_id: row.tenantId,
        id: row.id,
        definition_id: row.definitionId,
        kind: row.kind,
        ingestion_type: row.ingestionType,
        created_at: row.createdAt,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  )

/** Changes a connector; throws `CONNECTOR_NAME_TAKEN`. */
export const updateConnectorRow = (tx: Tx, { tenantId, id }: ConnectorKey, values: ConnectorValues): Promise<ConnectorRecord> =>
  refusingTakenName(() =>
    tx
      .updateTable('connectors')
      .set(columnsOf(values))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  )

const refusingTakenName = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicate({ connectors_name_unique: 'CONNECTOR_NAME_TAKEN' }, write)

/** The tenant that a connector id leads to, the connector's own permission bits, and whether it is kept from whoever is not at tenant level. */
export const connectorHome = async (db: Db, id: string): Promise<ConnectorHome | undefined> => {
  const { rows } = await sql<ConnectorHome>`
    select tenant_id as "tenantId", permissions, name_folded = 'gdpr' as kept from connectors where id = ${id}::uuid`.execute(db)
  return rows[0]
}
