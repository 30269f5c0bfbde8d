import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_PLACEMENT, type Placement } from '@instep/contract/placement.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { saveConfig } from '../connectors/public.ts'
import { matchedSource } from './matching-config.ts'
import { countUnassigned, placementSample } from './placeable-sites.ts'
import type { SyncDeps } from './sync-deps.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** The rules by which people of a source come to their sites, with some of its people. */
export const placementInForce = async (db: Db, key: ConnectorKey) => {
  const { config, configVersion } = await matchedSource(db, key)
  const placement = config.placement ?? DEFAULT_PLACEMENT
  const [sample, unassigned] = await Promise.all([placementSample(db, key, placement), countUnassigned(db, key)])
  return { placement, version: configVersion, sample, unassigned }
}

/** A site that the tenant does not have is refused like any that there is none of. */
const assertSites = async (tx: Tx, tenantId: string, { rules }: Placement): Promise<void> => {
  const ids = [...new Set(rules.flatMap(({ to }) => ('siteId' in to ? [to.siteId] : [])))]
  if (ids.length === 0) return
  const { rows } = await sql`select from sites where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`.execute(tx)
  if (rows.length < ids.length) throw problem('NOT_FOUND')
}

/** Keeps other rules as the connector's next version; rules that say nothing new change nothing. Throws NOT_FOUND, CONNECTOR_KIND_WRONG. */
export const updatePlacement = async (
  { db, clock }: Pick<SyncDeps, 'db' | 'clock'>,
  { placement, by, correlationId, ...key }: ConnectorKey & { placement: Placement; by: EventActor; correlationId: string },
) =>
  db.transaction().execute(async (tx) => {
    const { config, configVersion, name } = await matchedSource(tx, key, true)
    await assertSites(tx, key.tenantId, placement)
    if (isDeepStrictEqual(config.placement ?? DEFAULT_PLACEMENT, placement)) return { placement, version: configVersion }
    const at = clock.now()
    const version = await saveConfig(tx, { ...key, change: { placement }, by, at })
    const data = { version, name, rules: placement.rules.length }
    const event = { stream: 'directory', type: 'connector.placement.changed', correlationId, actor: by } as const
    await recordEvents(tx, [{ ...event, tenantId: key.tenantId, connectorId: key.connectorId, at, data }])
    return { placement, version }
  })
