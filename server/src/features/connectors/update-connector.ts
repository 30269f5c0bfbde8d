import type { Definition } from '@instep/connectors/kit/definition.ts'
import { permits } from '@instep/contract/roles.ts'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { markTargetPending } from '../provisioning/public.ts'
import { type Settings, settleProperties } from './connector-properties.rules.ts'
import { openSettings, sealSettings } from './connector-settings.ts'
import { type ConnectorKey, type ConnectorRecord, lockConnector, updateConnectorRow } from './connectors.store.ts'
import type { ConnectorChange } from './create-connector.ts'

export interface ConnectorUpdate {
  readonly name?: string | undefined
  readonly properties?: Readonly<Record<string, string | number | boolean | null>> | undefined
  readonly enabled?: boolean | undefined
  readonly permissions?: number | undefined
}

export interface UpdateDeps extends ConnectorChange {
  readonly definitionOf: (id: string) => Definition | undefined
}

/**
 * Changes a connector: absent members stay, null clears. What changes nothing leaves no trace. A target that is enabled, or that changes while
 * it is enabled, owes an account for everybody again. Throws `NOT_FOUND`, `DEFINITION_UNKNOWN`, `INVALID`, `CONNECTOR_NAME_TAKEN`, `PERMISSION_MISSING` where the
 * connector's own mask admits no change but of itself.
 */
export const updateConnector = async (
  tx: Tx,
  { update, ...key }: ConnectorKey & { update: ConnectorUpdate },
  { secrets, by, definitionOf }: UpdateDeps,
): Promise<ConnectorRecord> => {
  const stored = await lockConnector(tx, key)
  if (!stored) throw problem('NOT_FOUND')
  const definition = definitionOf(stored.definition_id)
  if (!definition) throw problem('DEFINITION_UNKNOWN')
  const settings = openSettings(secrets, stored)
  const settled = settleProperties(definition, settings, update.properties ?? {})
  if ('invalid' in settled) throw problem('INVALID', { fields: settled.invalid })

  const own = {
    name: update.name ?? stored.name,
    enabled: update.enabled ?? stored.enabled,
    permissions: update.permissions ?? stored.permissions,
  }
  const changed = [...OWN.filter((member) => own[member] !== stored[member]), ...settled.changed]
  if (changed.length === 0) return stored
  // its own mask can always be changed, or nobody could ever give the bit back
  if (changed.some((member) => member !== 'permissions') && !permits('editSettings', stored.permissions | own.permissions))
    throw problem('PERMISSION_MISSING')

  const { name, enabled } = own
  const row = await updateConnectorRow(tx, key, { ...sealSettings(secrets, settled.settings), ...own })
  const told = ({ name, enabled, permissions }: ConnectorRecord, { properties }: Settings) =>
    shownOf(changed, { ...properties, name, enabled, permissions })
  await recordEvents(tx, [
    {
      ...by,
      tenantId: key.tenantId,
      stream: 'directory',
      type: 'connector.updated',
      subjectId: key.id,
      connectorId: key.id,
      data: { name, changed: changed.join(', ') },
      before: told(stored, settings),
      after: told(row, settled.settings),
    },
  ])
  const concernsAccounts = settled.changed.length > 0 || !stored.enabled
  if (enabled && concernsAccounts && definition.kind === 'target')
    await markTargetPending(tx, { tenantId: key.tenantId, targetId: key.id, correlationId: by.correlationId })
  return row
}

/** What a connector has beside its definition's properties. */
const OWN = ['name', 'enabled', 'permissions'] as const

/** The changed ones among the values that may be told; a secret is not among them. */
const shownOf = (changed: readonly string[], values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(changed.filter((name) => name in values).map((name) => [name, values[name]]))
