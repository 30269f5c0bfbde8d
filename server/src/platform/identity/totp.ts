import { sql } from 'kysely'
import { generateSecret, generateURI, verify } from 'otplib'
import type { Db } from '../db/database.ts'
import type { IdentitySecrets } from './identity-settings.ts'

// One step of grace for a phone whose clock is behind or a code typed at the last second.
const PAST_SECONDS = 30

/** What a code is checked against: the secret in clear, and the time step that was used last. */
export interface TotpState {
  secret: string
  lastStep: number | undefined
}

/**
 * Checks a six-digit code.
 *
 * @returns its time step, to be kept so that the code cannot be used again, or undefined when it is refused
 */
export const checkTotp = async (state: TotpState, code: string, now: Date): Promise<number | undefined> => {
  if (!/^\d{6}$/.test(code)) return undefined
  const result = await verify({
    secret: state.secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: [PAST_SECONDS, 0],
    ...(state.lastStep === undefined ? {} : { afterTimeStep: state.lastStep }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/**
 * Gives an account a second factor, replacing an earlier one.
 *
 * @returns the secret (base32) and the `otpauth://` address for an authenticator app; they are shown once
 */
export const enrolTotp = async (
  store: { db: Db; secrets: IdentitySecrets },
  account: { id: string; email: string },
): Promise<{ secret: string; uri: string }> => {
  const secret = generateSecret()
  await sql`update identity_accounts set totp_secret = ${store.secrets.encrypt(secret)}, totp_last_step = null where id = ${account.id}`.execute(
    store.db,
  )
  return { secret, uri: generateURI({ issuer: 'Instep', label: account.email, secret }) }
}
