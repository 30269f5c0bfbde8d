import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { setPassword } from './accounts.ts'

const DEFAULT_HOURS = 24

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A one-time link with which a person chooses a password. `path` belongs behind the public URL. */
export interface SetupLink {
  path: string
  expiresAt: Date
}

/**
 * Makes a one-time link for an account; earlier links of the account die. Only a hash of it is stored.
 *
 * @param validity from when (default: now) and for how many hours (default: 24) it can be used
 */
export const createSetupLink = async (db: Db, accountId: string, validity: { now?: Date; hours?: number } = {}): Promise<SetupLink> => {
  const token = randomBytes(32).toString('base64url')
  const now = validity.now ?? new Date()
  const expiresAt = new Date(now.getTime() + (validity.hours ?? DEFAULT_HOURS) * 3_600_000)
  await sql`delete from identity_setup_links where account_id = ${accountId}`.execute(db)
  await sql`insert into identity_setup_links (token_hash, account_id, expires_at) values (${hashOf(token)}, ${accountId}, ${expiresAt})`.execute(
    db,
  )
  return { path: `/identity/setup/${token}`, expiresAt }
}

/** The account for which a link is still good, or undefined. */
export const findSetupLink = async (
  db: Db,
  token: string,
  now: Date,
): Promise<{ accountId: string; email: string; name: string } | undefined> => {
  const { rows } = await sql<{ accountId: string; email: string; name: string }>`
    select a.id as "accountId", a.email, a.name
      from identity_setup_links l join identity_accounts a on a.id = l.account_id
     where l.token_hash = ${hashOf(token)} and l.expires_at > ${now}`.execute(db)
  return rows[0]
}

/**
 * Uses a link up and sets the password; of two uses at the same moment one wins.
 *
 * @returns whether the link was still good
 */
export const redeemSetupLink = (db: Db, link: { token: string; password: string }, now: Date): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ accountId: string }>`
      delete from identity_setup_links where token_hash = ${hashOf(link.token)} and expires_at > ${now}
      returning account_id as "accountId"`.execute(tx)
    const accountId = rows[0]?.accountId
    if (accountId === undefined) return false
    await setPassword(tx, accountId, link.password)
    return true
  })
