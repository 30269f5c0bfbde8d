import type { Secrets } from '../../platform/crypto/secrets.ts'
import type { Settings } from './connector-properties.rules.ts'
import type { ConnectorRecord, ConnectorValues } from './connectors.store.ts'

type Sealer = Pick<Secrets, 'encrypt' | 'decrypt'>

/** A connector's settings with its secrets opened; for use inside the server only. */
export const openSettings = (secrets: Sealer, row: Pick<ConnectorRecord, 'properties' | 'secrets'>): Settings => ({
  properties: row.properties as Record<string, unknown>,
  secrets: row.secrets ? (secrets.decrypt(row.secrets) as Record<string, string>) : {},
})

/** Settings as they are stored: secrets encrypted, and named. */
export const sealSettings = (secrets: Sealer, settings: Settings): Pick<ConnectorValues, 'properties' | 'secrets' | 'secretsSet'> => {
  const names = Object.keys(settings.secrets)
  return { properties: settings.properties, secrets: names.length > 0 ? secrets.encrypt(settings.secrets) : null, secretsSet: names }
}
