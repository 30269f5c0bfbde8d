import type { Definition } from '@instep/connectors/kit/definition.ts'
import { EVERY_PERMISSION } from '@instep/contract/roles.ts'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { markTargetPending } from '../provisioning/public.ts'
import { settleProperties } from './connector-properties.rules.ts'
import { sealSettings } from './connector-settings.ts'
import { type ConnectorRecord, insertConnector } from './connectors.store.ts'

export interface NewConnector {
  /** Given where links must stay good; else a new one. */
  readonly id?: string
  readonly tenantId: string
  readonly definition: Definition
  readonly name: string
  readonly properties: Readonly<Record<string, string | number | boolean | null>>
  readonly enabled: boolean
  /** Bits of decisions.md section 6; all where it is absent. */
  readonly permissions?: number
}

export interface ConnectorChange {
  readonly secrets: Secrets
  readonly by: Pick<NewEvent, 'actor' | 'at' | 'correlationId'>
}

/**
 * Adds a connector; a target owes an account for everybody from then on. Throws `INVALID` for properties that the definition does not take,
 * `CONNECTOR_NAME_TAKEN`.
 */
export const createConnector = async (tx: Tx, given: NewConnector, { secrets, by }: ConnectorChange): Promise<ConnectorRecord> => {
  const { tenantId, definition, name, enabled, permissions = EVERY_PERMISSION } = given
  const settled = settleProperties(definition, { properties: {}, secrets: {} }, given.properties)
  if ('invalid' in settled) throw problem('INVALID', { fields: settled.invalid })
  const row = await insertConnector(tx, {
    ...sealSettings(secrets, settled.settings),
    tenantId,
    id: given.id ?? uuidv7(by.at.getTime()),
    name,
    enabled,
    permissions,
    definitionId: definition.id,
    kind: definition.kind,
    ingestionType: definition.ingestionType,
    createdAt: by.at,
  })
  const data = { name, definition: definition.id, changed: settled.changed.join(', ') }
  const after = { name, enabled, permissions, ...settled.settings.properties }
  await recordEvents(tx, [
    { ...by, tenantId, stream: 'directory', type: 'connector.created', subjectId: row.id, connectorId: row.id, data, after },
  ])
  if (enabled && definition.kind === 'target') await markTargetPending(tx, { tenantId, targetId: row.id, correlationId: by.correlationId })
  return row
}
