import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Keys derived from one master key: one to encrypt what is stored, one to sign what goes out and comes back. */
export interface Secrets {
  /** AES-256-GCM over the value as JSON; the nonce stands in front. */
  encrypt(value: unknown): Buffer
  /** The value that `encrypt` was given. Throws when the bytes were changed or belong to another master key. */
  decrypt(sealed: Buffer): unknown
  /** HMAC-SHA-256 as base64url. */
  sign(text: string): string
  /** Whether `signature` is what `sign` gives for `text`, in constant time. */
  verify(text: string, signature: string): boolean
}

const NONCE = 12
const TAG = 16

/**
 * Makes the keys from the master key with HKDF (RFC 5869).
 *
 * @param masterKey at least 32 bytes
 */
export const createSecrets = (masterKey: Buffer): Secrets => {
  if (masterKey.length < 32) throw new Error('the master key needs at least 32 bytes')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `instep ${purpose}`, 32))
  const encryptionKey = derive('encryption')
  const signingKey = derive('signing')
  const sign = (text: string) => createHmac('sha256', signingKey).update(text).digest('base64url')
  return {
    encrypt: (value) => {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce)
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    decrypt: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, sealed.subarray(0, NONCE))
      decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
      const text = Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
      return JSON.parse(text) as unknown
    },
    sign,
    verify: (text, signature) => {
      const expected = Buffer.from(sign(text))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
