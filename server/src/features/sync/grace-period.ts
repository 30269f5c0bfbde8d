import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_GRACE, type GracePeriod } from '@instep/contract/grace-period.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db } from '../../platform/db/database.ts'
import { saveConfig } from '../connectors/public.ts'
import { matchedSource } from './matching-config.ts'
import type { SyncDeps } from './sync-deps.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** How long leavers of a source are kept, and how many there are; `due`: their time is over at `now`. */
export const graceInForce = async (db: Db, key: ConnectorKey, now: Date) => {
  const { config, configVersion } = await matchedSource(db, key)
  const { rows } = await sql<{ deactivated: number; due: number }>`
    select count(*)::integer as deactivated, count(*) filter (where kept_until <= ${now})::integer as due
    from leavers where tenant_id = ${key.tenantId} and connector_id = ${key.connectorId}`.execute(db)
  return { grace: config.grace ?? DEFAULT_GRACE, version: configVersion, ...(rows[0] ?? { deactivated: 0, due: 0 }) }
}

/** Keeps another grace period as the connector's next version; the same one changes nothing. Throws NOT_FOUND, CONNECTOR_KIND_WRONG. */
export const updateGrace = async (
  { db, clock }: Pick<SyncDeps, 'db' | 'clock'>,
  { grace, by, correlationId, ...key }: ConnectorKey & { grace: GracePeriod; by: EventActor; correlationId: string },
) =>
  db.transaction().execute(async (tx) => {
    const { config, configVersion, name } = await matchedSource(tx, key, true)
    const before = config.grace ?? DEFAULT_GRACE
    if (isDeepStrictEqual(before, grace)) return { grace, version: configVersion }
    const at = clock.now()
    const version = await saveConfig(tx, { ...key, change: { grace }, by, at })
    const event = { stream: 'directory', type: 'connector.grace.changed', correlationId, actor: by } as const
    const data = { version, name, days: grace.days }
    await recordEvents(tx, [{ ...event, tenantId: key.tenantId, connectorId: key.connectorId, at, data, before, after: grace }])
    return { grace, version }
  })
