import type { ConfigVersion } from '@instep/contract/config-versions.ts'
import { ConnectorConfig } from '@instep/contract/connector-config.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { changedParts, diffConfigs } from './diff-config.ts'

interface OfConnector {
  readonly tenantId: string
  readonly connectorId: string
}

interface VersionRow {
  readonly version: number
  readonly createdAt: Date
  readonly createdBy: string
  readonly config: unknown
  readonly previous: unknown
  readonly inForce: boolean
}

/** A version with all that it says. */
export type FullVersion = ConfigVersion & { readonly config: ConnectorConfig }

const present = ({ createdAt, config: saved, previous, ...row }: VersionRow): FullVersion => {
  const config = ConnectorConfig.parse(saved)
  const changed = changedParts(diffConfigs(ConnectorConfig.parse(previous ?? {}), config))
  return { ...row, createdAt: createdAt.toISOString(), changed, config }
}

const versions = async (
  db: Db | Tx,
  { tenantId, connectorId }: OfConnector,
  narrow: { where: RawBuilder<unknown>; limit: number },
): Promise<FullVersion[]> => {
  const { rows } = await sql<VersionRow>`
    select v.version, v.created_at as "createdAt", v.created_by ->> 'name' as "createdBy", v.config, p.config as previous,
      v.version is not distinct from c.config_version as "inForce"
    from connector_versions v
    join connectors c on c.tenant_id = v.tenant_id and c.id = v.connector_id
    left join connector_versions p on p.tenant_id = v.tenant_id and p.connector_id = v.connector_id and p.version = v.version - 1
    where v.tenant_id = ${tenantId} and v.connector_id = ${connectorId} and ${narrow.where}
    order by v.version desc limit ${narrow.limit}`.execute(db)
  return rows.map(present)
}

/** Versions of a connector's configuration, newest first, those before `before`. */
export const listVersions = async (
  db: Db,
  { before, limit, ...of }: OfConnector & { before: number | undefined; limit: number },
): Promise<ConfigVersion[]> => {
  const found = await versions(db, of, { where: before === undefined ? sql`true` : sql`v.version < ${before}`, limit })
  return found.map(({ config: _, ...version }) => version)
}

/** One version of a connector's configuration. */
export const findVersion = async (db: Db | Tx, of: OfConnector & { version: number }): Promise<FullVersion | undefined> => {
  const [version] = await versions(db, of, { where: sql`v.version = ${of.version}`, limit: 1 })
  return version
}
