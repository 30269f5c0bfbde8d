import type { Target } from '@instep/connectors/kit/target.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Settings } from './connector-properties.rules.ts'
import { openSettings } from './connector-settings.ts'
import { findConnector } from './connectors.store.ts'

/** Makes a target of one definition. Throws ConnectorError where its settings cannot be used. */
export type TargetFactory = (settings: Settings, key: { readonly tenantId: string; readonly targetId: string }) => Target

export interface OpenTargetDeps {
  readonly db: Db
  readonly secrets: Secrets
  /** By id of the definition. */
  readonly factories: Readonly<Record<string, TargetFactory>>
}

/** Makes a target ready for requests with its stored settings and secrets; whoever opens it closes it. */
export type OpenTarget = (tenantId: string, id: string) => Promise<Target>

/** Throws `NOT_FOUND` where the tenant has no such target, and a ConnectorError where its settings cannot be used. */
export const openTarget =
  ({ db, secrets, factories }: OpenTargetDeps): OpenTarget =>
  async (tenantId, id) => {
    const row = await findConnector(db, { tenantId, id })
    const factory = factories[row?.definition_id ?? '']
    if (row?.kind !== 'target' || !factory) throw problem('NOT_FOUND')
    return factory(openSettings(secrets, row), { tenantId, targetId: id })
  }
