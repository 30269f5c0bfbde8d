import { ConnectorError } from '../kit/problem.ts'
import { type AddressPolicy, assertHostAllowed } from '../kit/source-address.ts'
import type { TargetProperties, TargetSecrets } from '../kit/target.ts'
import { readAddress } from '../kit/target-address.ts'
import { readWebhookSecret } from './webhook-signature.ts'

export interface WebhookSettings {
  readonly url: URL
  /** The keys that sign on a day, `YYYY-MM-DD` in UTC; the newest first. */
  readonly keysOn: (day: string) => readonly Buffer[]
}

const invalid = (property: string): ConnectorError =>
  new ConnectorError({
    code: 'TARGET_SETTINGS_INVALID',
    params: { property },
    detail: property === 'endpoint' ? 'the address is none' : 'the signing secret is not whsec_ and 24 to 64 bytes in base64',
  })

const addressOf = ({ endpoint, allowHttp }: TargetProperties, policy: AddressPolicy): URL => {
  if (typeof endpoint !== 'string') throw invalid('endpoint')
  try {
    const url = readAddress(endpoint, allowHttp === true)
    assertHostAllowed(url.hostname, policy)
    return url
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'TARGET_SETTINGS_INVALID') throw invalid('endpoint')
    const params = { ...error.params, property: 'endpoint' }
    throw new ConnectorError({ code: 'TARGET_ADDRESS_REFUSED', params, detail: error.detail })
  }
}

const keyOf = (secret: string | undefined, property: string): Buffer => {
  const key = readWebhookSecret(secret ?? '')
  if (!key) throw invalid(property)
  return key
}

/** Reads the stored settings of a webhook. Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED with `params.property`. */
export const readWebhookSettings = (properties: TargetProperties, secrets: TargetSecrets, policy: AddressPolicy): WebhookSettings => {
  const url = addressOf(properties, policy)
  const newest = keyOf(secrets.secret, 'secret')
  const previous = secrets.previousSecret ? keyOf(secrets.previousSecret, 'previousSecret') : undefined
  const until = typeof properties.previousSecretUntil === 'string' ? properties.previousSecretUntil : ''
  return {
    url,
    keysOn: (day) => (previous && day <= until ? [newest, previous] : [newest]),
  }
}
