import type { Secrets } from '../crypto/secrets.ts'
import { problem } from './problem.ts'

/** Opaque tokens that continue a keyset page: valid across restarts, tied to the query they were issued for. */
export interface Continuation {
  /** @param scope everything that makes the query what it is (tenant, filters, sort); @param key the last row's sort values and id */
  encode(scope: unknown, key: readonly unknown[]): string
  /** The key. Throws `TOKEN_FOREIGN` for a token that is malformed or was issued for another query. */
  decode(scope: unknown, token: string): unknown[]
}

export const createContinuation = (secrets: Pick<Secrets, 'sign' | 'verify'>): Continuation => {
  const signed = (scope: unknown, payload: string) => `continuation\n${JSON.stringify(scope)}\n${payload}`
  return {
    encode: (scope, key) => {
      const payload = Buffer.from(JSON.stringify(key)).toString('base64url')
      return `${payload}.${secrets.sign(signed(scope, payload))}`
    },
    decode: (scope, token) => {
      const [payload = '', signature = '', ...rest] = token.split('.')
      if (rest.length > 0 || !secrets.verify(signed(scope, payload), signature)) throw problem('TOKEN_FOREIGN')
      return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown[]
    },
  }
}
