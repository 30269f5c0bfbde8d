import type { FetchingSource } from '@instep/connectors/kit/fetching-source.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Settings } from './connector-properties.rules.ts'
import { openSettings } from './connector-settings.ts'
import { findConnector } from './connectors.store.ts'

/** What a source may be told besides its settings. */
export interface SourceTrust {
  /** The server's key as somebody looked at it; a server of any other is told nothing. */
  readonly hostKey?: string | undefined
}

/** Makes a source of one definition; undefined where its settings say that nothing is fetched. Throws ConnectorError. */
export type SourceFactory = (
  settings: Settings,
  context: SourceTrust & { readonly tenantId: string; readonly connectorId: string },
) => FetchingSource | undefined

/** Makes a source ready to be fetched, with its stored settings and secrets; undefined where it is not fetched. Whoever opens it closes it. */
export type OpenSource = (key: { tenantId: string; connectorId: string }, trust?: SourceTrust) => Promise<FetchingSource | undefined>

interface OpenSourceDeps {
  readonly db: Db
  readonly secrets: Secrets
  /** By id of the definition. */
  readonly factories: Readonly<Record<string, SourceFactory>>
}

/** Throws `NOT_FOUND` where the tenant has no such source, and a ConnectorError where its settings cannot be used. */
export const openSource =
  ({ db, secrets, factories }: OpenSourceDeps): OpenSource =>
  async ({ tenantId, connectorId }, trust = {}) => {
    const row = await findConnector(db, { tenantId, id: connectorId })
    if (row?.kind !== 'source') throw problem('NOT_FOUND')
    return factories[row.definition_id]?.(openSettings(secrets, row), { ...trust, tenantId, connectorId })
  }

/** Whether something is fetched for a connector; settings that cannot be used count, because they say that it should be. */
export const isFetched = async (open: OpenSource, key: { tenantId: string; connectorId: string }): Promise<boolean> => {
  try {
    const source = await open(key)
    await source?.close()
    return source !== undefined
  } catch (error) {
    if (error instanceof ConnectorError) return true
    throw error
  }
}
