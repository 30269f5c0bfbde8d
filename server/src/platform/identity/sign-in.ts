import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { foldEmail } from './accounts.ts'
import type { IdentityDeps } from './identity-settings.ts'
import { hashPassword, type PasswordCheck } from './passwords.ts'
import { checkTotp } from './totp.ts'

/** What a step of a sign-in came to. `refused` says no more on purpose: unknown, wrong and locked look alike. */
export type SignInStep =
  | { kind: 'refused' }
  | { kind: 'noAccess' }
  | { kind: 'codeNeeded'; accountId: string }
  | { kind: 'done'; accountId: string; secondFactor: boolean }

export interface SignIn {
  password(email: string, password: string): Promise<SignInStep>
  code(accountId: string, code: string): Promise<SignInStep>
}

type SignInDeps = Pick<IdentityDeps, 'db' | 'clock' | 'secrets' | 'accounts' | 'settings'> & { checkPassword: PasswordCheck }

interface Attempt {
  id: string
  passwordHash: string | null
  totpSecret: Buffer | null
  totpLastStep: number | null
}

interface Limits {
  now: Date
  lockAfter: number
  lockedUntil: Date
}

/**
 * Takes one attempt of an account before anything is hashed. Counting afterwards would let parallel guesses all see
 * the same low count. Nothing comes back when the account is unknown or locked; a lock that has run out starts at one.
 */
const reserveAttempt = async (db: Db, who: { email?: string; id?: string }, limits: Limits): Promise<Attempt | undefined> => {
  const { rows } = await sql<Attempt>`
    update identity_accounts
       set failed_attempts = case when locked_until <= ${limits.now} then 1 else failed_attempts + 1 end,
           locked_until = case when (case when locked_until <= ${limits.now} then 1 else failed_attempts + 1 end) >= ${limits.lockAfter}
                               then ${limits.lockedUntil}::timestamptz end
     where (email = ${who.email ?? null} or id = ${who.id ?? null}::uuid)
       and (locked_until is null or locked_until <= ${limits.now})
    returning id, password_hash as "passwordHash", totp_secret as "totpSecret", totp_last_step as "totpLastStep"`.execute(db)
  return rows[0]
}

const forgetAttempts = async (db: Db, id: string) => {
  await sql`update identity_accounts set failed_attempts = 0, locked_until = null where id = ${id}`.execute(db)
}

// The right password of a two-factor account gives back its own attempt and no more: wrong codes keep counting.
const giveAttemptBack = async (db: Db, id: string) => {
  await sql`update identity_accounts set failed_attempts = greatest(failed_attempts - 1, 0), locked_until = null where id = ${id}`.execute(
    db,
  )
}

/** Keeps the used time step; of two uses of one code at the same moment one wins. */
const useStep = async (db: Db, id: string, step: number): Promise<boolean> => {
  const { rows } = await sql`
    update identity_accounts set totp_last_step = ${step}
     where id = ${id} and (totp_last_step is null or totp_last_step < ${step}) returning id`.execute(db)
  return rows.length > 0
}

const limitsOf = ({ clock, settings }: SignInDeps): Limits => {
  const now = clock.now()
  return { now, lockAfter: settings.lockAfter, lockedUntil: new Date(now.getTime() + settings.lockMinutes * 60_000) }
}

const finish = async ({ db, accounts }: SignInDeps, accountId: string, secondFactor: boolean): Promise<SignInStep> => {
  await forgetAttempts(db, accountId)
  const entry = await accounts.rolesOf(accountId)
  return entry === undefined || entry.disabled ? { kind: 'noAccess' } : { kind: 'done', accountId, secondFactor }
}

/**
 * The two steps of signing in with a password: every guess costs an attempt, and an account without more attempts, an
 * unknown one and a wrong password all take one hash and give the same answer.
 */
export const createSignIn = async (deps: SignInDeps): Promise<SignIn> => {
  const { db, checkPassword, secrets } = deps
  // Nobody knows this password; it is what unknown and locked accounts are compared with.
  const decoy = await hashPassword(secrets.sign('identity.decoy-password'))
  return {
    password: async (email, password) => {
      const attempt = await reserveAttempt(db, { email: foldEmail(email) }, limitsOf(deps))
      const matches = await checkPassword(attempt?.passwordHash ?? decoy, password)
      if (attempt?.passwordHash == null || !matches) return { kind: 'refused' }
      if (attempt.totpSecret === null) return await finish(deps, attempt.id, false)
      await giveAttemptBack(db, attempt.id)
      return { kind: 'codeNeeded', accountId: attempt.id }
    },
    code: async (accountId, code) => {
      const limits = limitsOf(deps)
      const attempt = await reserveAttempt(db, { id: accountId }, limits)
      if (attempt?.totpSecret == null) return { kind: 'refused' }
      const lastStep = attempt.totpLastStep ?? undefined
      const step = await checkTotp({ secret: secrets.decrypt(attempt.totpSecret) as string, lastStep }, code, limits.now)
      if (step === undefined || !(await useStep(db, accountId, step))) return { kind: 'refused' }
      return await finish(deps, accountId, true)
    },
  }
}
