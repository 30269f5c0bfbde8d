import type { Target } from '@instep/connectors/kit/target.ts'
import { createScimTarget, type ScimOptions } from '@instep/connectors/scim/scim-target.ts'
import { createWorkplaceTarget } from '@instep/connectors/workplace/workplace-target.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { openSettings } from './connector-settings.ts'
import { findConnector } from './connectors.store.ts'

export interface OpenTargetDeps {
  readonly db: Db
  readonly secrets: Secrets
  /** How requests to SCIM targets are made. */
  readonly scim?: ScimOptions
}

/** Makes a target ready for requests with its stored settings and secrets; whoever opens it closes it. */
export type OpenTarget = (tenantId: string, id: string) => Promise<Target>

/** Throws `NOT_FOUND` where the tenant has no such target, and a ConnectorError where its settings cannot be used. */
export const openTarget =
  ({ db, secrets, scim }: OpenTargetDeps): OpenTarget =>
  async (tenantId, id) => {
    const row = await findConnector(db, { tenantId, id })
    if (row?.kind !== 'target') throw problem('NOT_FOUND')
    const { properties, secrets: opened } = openSettings(secrets, row)
    const create = row.definition_id === 'workplace' ? createWorkplaceTarget : createScimTarget
    return create(properties, opened, scim)
  }
