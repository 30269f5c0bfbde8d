import { isDeepStrictEqual } from 'node:util'
import type { AttributeRules } from '@instep/contract/attribute-rules.ts'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { markTargetPending } from '../provisioning/public.ts'
import { findAttributeRules, type StoredRules } from './attribute-rules.store.ts'
import { saveConfig } from './connector-versions.store.ts'
import type { ConnectorKey } from './connectors.store.ts'
import { lockScimTarget } from './scim-connector.ts'

export interface RulesChange extends ConnectorKey {
  readonly rules: AttributeRules
  readonly by: EventActor
  readonly at: Date
  readonly correlationId: string
}

/**
 * Puts rules in force as the target's next version; everybody's account there is compared with them again. The same rules leave no trace.
 * Throws NOT_FOUND, CONNECTOR_KIND_WRONG, PERMISSION_MISSING.
 */
export const setAttributeRules = async (tx: Tx, { rules, by, at, correlationId, ...key }: RulesChange): Promise<StoredRules> => {
  const target = await lockScimTarget(tx, key)
  const stored = await findAttributeRules(tx, key)
  if (isDeepStrictEqual(stored.rules, rules)) return stored
  const version = await saveConfig(tx, { tenantId: key.tenantId, connectorId: key.id, change: { attributes: rules }, by, at })
  const data = { name: target.name, version, changed: changedPaths(stored.rules, rules).join(', ') }
  const subject = { subjectId: key.id, connectorId: key.id }
  await recordEvents(tx, [
    { tenantId: key.tenantId, at, stream: 'directory', type: 'connector.attributes.changed', correlationId, actor: by, ...subject, data },
  ])
  if (target.enabled) await markTargetPending(tx, { tenantId: key.tenantId, targetId: key.id, correlationId })
  return { version, rules }
}

const changedPaths = (before: AttributeRules, after: AttributeRules): string[] => {
  const ruleOf = (rules: AttributeRules, path: string) => rules.find((rule) => rule.path === path)
  const paths = new Set([...before, ...after].map(({ path }) => path))
  const changed = [...paths].filter((path) => !isDeepStrictEqual(ruleOf(before, path), ruleOf(after, path)))
  return changed.length > 0 ? changed : [...paths]
}
