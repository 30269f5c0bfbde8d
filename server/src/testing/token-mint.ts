import { importJWK, type JWTPayload, SignJWT } from 'jose'
import type { Clock } from '../platform/clock.ts'
import type { Secrets } from '../platform/crypto/secrets.ts'
import type { Db } from '../platform/db/database.ts'
import { audienceOf, issuerOf } from '../platform/identity/identity-settings.ts'
import { loadKeys } from '../platform/identity/keys.ts'

export interface TokenWishes {
  readonly sub: string
  readonly scope?: string
  readonly audience?: string
  /** Seconds from now; negative for an expired one. */
  readonly lifetime?: number
  readonly typ?: string
  readonly claims?: JWTPayload
}

/** Signs access tokens with the embedded provider's own key, as it would itself, and others that it never would. */
export interface TokenMint {
  readonly issuer: string
  accessToken(wishes: TokenWishes): Promise<string>
}

export const createTokenMint = async (deps: {
  db: Db
  secrets: Pick<Secrets, 'decrypt'>
  publicUrl: string
  clock: Clock
}): Promise<TokenMint> => {
  const { db, secrets, publicUrl, clock } = deps
  const key = (await loadKeys(db)).find((candidate) => candidate.stage === 'active')
  if (!key) throw new Error('no active signing key')
  const privateKey = await importJWK(secrets.decrypt(key.privateKey) as never, 'RS256')
  return {
    issuer: issuerOf(publicUrl),
    accessToken: ({
      sub,
      scope = 'openid profile api api.basic',
      audience = audienceOf(publicUrl),
      lifetime = 600,
      typ = 'at+jwt',
      claims = {},
    }) => {
      const now = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT({ scope, client_id: 'console', ...claims })
        .setProtectedHeader({ alg: 'RS256', typ, kid: key.kid })
        .setIssuer(issuerOf(publicUrl))
        .setSubject(sub)
        .setAudience(audience)
        .setIssuedAt(now - (lifetime < 0 ? 3600 : 0))
        .setExpirationTime(now + lifetime)
        .sign(privateKey)
    },
  }
}
