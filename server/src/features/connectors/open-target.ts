import type { Target } from '@instep/connectors/kit/target.ts'
import { type Conformance, openConformance } from '@instep/connectors/scim/check-conformance.ts'
import type { ScimOptions } from '@instep/connectors/scim/scim-target.ts'
import { scimOf } from '@instep/connectors/workplace/workplace-target.ts'
import type { AttributeRules } from '@instep/contract/attribute-rules.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findAttributeRules } from './attribute-rules.store.ts'
import type { Settings } from './connector-properties.rules.ts'
import { openSettings } from './connector-settings.ts'
import { findConnector } from './connectors.store.ts'

/** Which target it is, and what a target with attributes of its own sends. */
export interface TargetPlace {
  readonly tenantId: string
  readonly targetId: string
  readonly rules: AttributeRules
}

/** Makes a target of one definition. Throws ConnectorError where its settings cannot be used. */
export type TargetFactory = (settings: Settings, place: TargetPlace) => Target

export interface OpenTargetDeps {
  readonly db: Db
  readonly secrets: Secrets
  /** By id of the definition. */
  readonly factories: Readonly<Record<string, TargetFactory>>
}

/** Makes a target ready for requests with its stored settings and secrets; whoever opens it closes it. */
export type OpenTarget = (tenantId: string, id: string, rules?: AttributeRules) => Promise<Target>

/** The rules are those in force unless others are given. Throws `NOT_FOUND` where the tenant has no such target, and a ConnectorError where its settings cannot be used. */
export const openTarget =
  ({ db, secrets, factories }: OpenTargetDeps): OpenTarget =>
  async (tenantId, id, given) => {
    const row = await findConnector(db, { tenantId, id })
    const factory = factories[row?.definition_id ?? '']
    if (row?.kind !== 'target' || !factory) throw problem('NOT_FOUND')
    const rules = given ?? (row.config_version === null ? [] : (await findAttributeRules(db, { tenantId, id })).rules)
    return factory(openSettings(secrets, row), { tenantId, targetId: id, rules })
  }

/** Makes a target ready to be tried; whoever opens it closes it. */
export type OpenConformance = (tenantId: string, id: string) => Promise<Conformance>

/** Throws as `openTarget` does. */
export const openTargetConformance =
  ({ db, secrets, scim }: Omit<OpenTargetDeps, 'factories'> & { readonly scim: Pick<ScimOptions, 'allowPrivate'> }): OpenConformance =>
  async (tenantId, id) => {
    const row = await findConnector(db, { tenantId, id })
    if (row?.kind !== 'target') throw problem('NOT_FOUND')
    const { properties, secrets: opened } = openSettings(secrets, row)
    return openConformance(row.definition_id === 'workplace' ? scimOf(properties) : properties, opened, scim)
  }
