import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** Lengths of a key in bytes (Standard Webhooks 1.0.0, "Signature scheme"). */
const SHORTEST = 24
const LONGEST = 64

/** What is signed: the event's id, the second of the attempt, the body to the letter. */
export interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** A new signing secret, `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

/** The key of a secret that is written `whsec_` and base64; undefined for anything else, and for a key that is too short or too long. */
export const readWebhookSecret = (secret: string): Buffer | undefined => {
  const text = secret.trim()
  const encoded = text.slice(PREFIX.length)
  if (!text.startsWith(PREFIX) || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined
  const key = Buffer.from(encoded, 'base64')
  return key.length >= SHORTEST && key.length <= LONGEST ? key : undefined
}

/** The value of `webhook-signature`: for each key one HMAC-SHA256, versioned and in base64, with spaces between (Standard Webhooks 1.0.0). */
export const signWebhook = (keys: readonly Buffer[], { id, timestamp, body }: Signed): string =>
  keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ')
