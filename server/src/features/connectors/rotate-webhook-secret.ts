import { newWebhookSecret } from '@instep/connectors/webhook/webhook-signature.ts'
import { permits } from '@instep/contract/roles.ts'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { openSettings, sealSettings } from './connector-settings.ts'
import { type ConnectorKey, lockConnector, updateConnectorRow } from './connectors.store.ts'
import type { ConnectorChange } from './create-connector.ts'

const DAY_MS = 86_400_000

/**
 * Gives a webhook a new signing secret; the one before signs too until the end of a day (UTC). No account is touched: what the receiver holds is as it
 * was. Throws `NOT_FOUND`, `CONNECTOR_KIND_WRONG` for anything else than a webhook, `PERMISSION_MISSING` by the connector's own mask.
 *
 * @param rotation.overlapDays 0 ends the one before at once
 */
export const rotateWebhookSecret = async (
  tx: Tx,
  { overlapDays, ...key }: ConnectorKey & { overlapDays: number },
  { secrets, by }: ConnectorChange,
): Promise<{ secret: string; previousUntil: string | null }> => {
  const stored = await lockConnector(tx, key)
  if (!stored) throw problem('NOT_FOUND')
  if (stored.definition_id !== 'webhook') throw problem('CONNECTOR_KIND_WRONG')
  if (!permits('editSettings', stored.permissions)) throw problem('PERMISSION_MISSING')
  const before = openSettings(secrets, stored)
  const secret = newWebhookSecret()
  const previous = overlapDays > 0 ? before.secrets['secret'] : undefined
  const previousUntil = previous ? new Date(by.at.getTime() + overlapDays * DAY_MS).toISOString().slice(0, 10) : null
  const { previousSecretUntil: _, ...properties } = before.properties
  const settings = {
    properties: { ...properties, ...(previousUntil ? { previousSecretUntil: previousUntil } : {}) },
    secrets: { secret, ...(previous ? { previousSecret: previous } : {}) },
  }
  const { name, enabled, permissions } = stored
  await updateConnectorRow(tx, key, { ...sealSettings(secrets, settings), name, enabled, permissions })
  await recordEvents(tx, [
    {
      ...by,
      tenantId: key.tenantId,
      stream: 'directory',
      type: 'connector.secretRotated',
      subjectId: key.id,
      connectorId: key.id,
      data: { name, previousUntil },
    },
  ])
  return { secret, previousUntil }
}
