import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_MATCHING, type Matching } from '@instep/contract/matching.ts'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { saveConfig } from '../connectors/public.ts'
import { findSource, type SourceConnector } from './connector-config.store.ts'
import type { SyncDeps } from './sync-deps.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** A source whose records are matched, which is every one but a manual one. Throws NOT_FOUND and CONNECTOR_KIND_WRONG. */
export const matchedSource = async (db: Db | Tx, key: ConnectorKey, lock = false): Promise<SourceConnector> => {
  const source = await findSource(db, key, lock)
  if (!source) throw problem('NOT_FOUND')
  if (source.kind !== 'source' || source.definitionId === 'manual') throw problem('CONNECTOR_KIND_WRONG')
  return source
}

/** How records of a source find their people; the defaults where nobody has set anything. */
export const matchingInForce = async (db: Db, key: ConnectorKey) => {
  const { config, configVersion } = await matchedSource(db, key)
  return { matching: config.matching ?? DEFAULT_MATCHING, version: configVersion }
}

/** Keeps another way of matching as the connector's next version; one that says nothing new changes nothing. */
export const updateMatching = async (
  { db, clock }: SyncDeps,
  { matching, by, correlationId, ...key }: ConnectorKey & { matching: Matching; by: EventActor; correlationId: string },
) =>
  db.transaction().execute(async (tx) => {
    const { config, configVersion, name } = await matchedSource(tx, key, true)
    if (isDeepStrictEqual(config.matching ?? DEFAULT_MATCHING, matching)) return { matching, version: configVersion }
    const at = clock.now()
    const version = await saveConfig(tx, { ...key, change: { matching }, by, at })
    await recordEvents(tx, [
      {
        tenantId: key.tenantId,
        at,
        stream: 'directory',
        type: 'connector.matching.changed',
        correlationId,
        actor: by,
        connectorId: key.connectorId,
        data: { version, name },
      },
    ])
    return { matching, version }
  })
