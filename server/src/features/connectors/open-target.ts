import type { Target } from '@instep/connectors/kit/target.ts'
import { type Conformance, openConformance } from '@instep/connectors/scim/check-conformance.ts'
import { createScimTarget, type ScimOptions } from '@instep/connectors/scim/scim-target.ts'
import type { AttributeRules } from '@instep/contract/attribute-rules.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findAttributeRules } from './attribute-rules.store.ts'
import { openSettings } from './connector-settings.ts'
import { findConnector } from './connectors.store.ts'

export interface OpenTargetDeps {
  readonly db: Db
  readonly secrets: Secrets
  /** How requests to SCIM targets are made. */
  readonly scim?: ScimOptions
}

/** Makes a target ready for requests with its stored settings and secrets; whoever opens it closes it. */
export type OpenTarget = (tenantId: string, id: string, rules?: AttributeRules) => Promise<Target>

/** The rules are those in force unless others are given. Throws `NOT_FOUND` where the tenant has no such target, and a ConnectorError where its settings cannot be used. */
export const openTarget =
  ({ db, secrets, scim }: OpenTargetDeps): OpenTarget =>
  async (tenantId, id, given) => {
    const row = await findConnector(db, { tenantId, id })
    if (row?.kind !== 'target') throw problem('NOT_FOUND')
    const { properties, secrets: opened } = openSettings(secrets, row)
    const rules = given ?? (row.config_version === null ? [] : (await findAttributeRules(db, { tenantId, id })).rules)
    return createScimTarget(properties, opened, { ...scim, rules })
  }

/** Makes a target ready to be tried; whoever opens it closes it. */
export type OpenConformance = (tenantId: string, id: string) => Promise<Conformance>

/** Throws as `openTarget` does. */
export const openTargetConformance =
  ({ db, secrets, scim }: OpenTargetDeps): OpenConformance =>
  async (tenantId, id) => {
    const row = await findConnector(db, { tenantId, id })
    if (row?.kind !== 'target') throw problem('NOT_FOUND')
    const { properties, secrets: opened } = openSettings(secrets, row)
    return openConformance(properties, opened, scim)
  }
