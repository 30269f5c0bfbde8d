import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { uuidv7 } from '../ids.ts'
import { endSessions } from './end-sessions.ts'
import { hashPassword } from './passwords.ts'

export interface NewAccount {
  email: string
  name: string
  /** Absent: the person chooses one through a set-up link. */
  password?: string
}

/** An account of the embedded provider as other parts may see it. */
export interface Account {
  id: string
  email: string
  name: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An e-mail address in the form in which accounts are unique. */
export const foldEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase()

/**
 * Creates an account of the embedded provider.
 *
 * @returns its id, which is the `sub` of its tokens
 * @throws the database's unique violation `identity_accounts_email_unique` when the address has an account
 */
export const createAccount = async (db: Db, account: NewAccount): Promise<{ id: string }> => {
  const id = uuidv7()
  const passwordHash = account.password === undefined ? null : await hashPassword(account.password)
  await sql`
    insert into identity_accounts (id, email, name, password_hash, password_set_at)
    values (${id}, ${foldEmail(account.email)}, ${account.name.trim()}, ${passwordHash}, case when ${passwordHash}::text is null then null else now() end)`.execute(
    db,
  )
  return { id }
}

/** The account with this address, if there is one. */
export const findAccountByEmail = async (db: Db, email: string): Promise<Account | undefined> => {
  const { rows } = await sql<Account>`select id, email, name from identity_accounts where email = ${foldEmail(email)}`.execute(db)
  return rows[0]
}

/** The account with this subject, if there is one. Anything that is not a UUID finds nothing. */
export const findAccountById = async (db: Db, id: string): Promise<Account | undefined> => {
  if (!UUID.test(id)) return undefined
  const { rows } = await sql<Account>`select id, email, name from identity_accounts where id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Makes sure that an account exists, for seeds: an existing one keeps its name and password.
 *
 * @returns its id (the `sub`) and whether this call created it
 */
export const seedAccount = async (db: Db, account: NewAccount): Promise<{ id: string; created: boolean }> => {
  const existing = await findAccountByEmail(db, account.email)
  if (existing !== undefined) return { id: existing.id, created: false }
  return { ...(await createAccount(db, account)), created: true }
}

/** Replaces an account's password, lifts its lock and ends its sessions and grants. The second factor stays. */
export const setPassword = async (db: Db, accountId: string, password: string): Promise<void> => {
  const passwordHash = await hashPassword(password)
  await sql`
    update identity_accounts
       set password_hash = ${passwordHash}, password_set_at = now(), failed_attempts = 0, locked_until = null
     where id = ${accountId}`.execute(db)
  await endSessions(db, accountId)
}

/** Lifts the lock that failed attempts left on an account. */
export const unlockAccount = async (db: Db, accountId: string): Promise<void> => {
  await sql`update identity_accounts set failed_attempts = 0, locked_until = null where id = ${accountId}`.execute(db)
}
