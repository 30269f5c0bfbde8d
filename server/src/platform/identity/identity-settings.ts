import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'

/** What the embedded provider needs of `platform/crypto/secrets.ts`. */
export interface IdentitySecrets {
  encrypt(value: unknown): Buffer
  decrypt(sealed: Buffer): unknown
  sign(text: string): string
}

/** Settings of the embedded provider. Durations are in the unit of their name. */
export interface IdentitySettings {
  /** Where browsers reach the product, without a trailing slash. The issuer is `${publicUrl}/identity`. */
  publicUrl: string
  /** The one flow for which the console's client is registered. */
  flow: 'implicit' | 'code'
  accessTokenSeconds: number
  /** Absolute limit of a sign-in session; renewing does not move it. */
  sessionHours: number
  /** Failed attempts after which an account is locked. */
  lockAfter: number
  lockMinutes: number
  /** Posts a minute from one address to the sign-in and set-up pages. */
  attemptsPerMinute: number
}

/** What `settings` of `mountIdentity` leaves out. */
export const IDENTITY_DEFAULTS = {
  accessTokenSeconds: 3600,
  sessionHours: 12,
  lockAfter: 5,
  lockMinutes: 15,
  attemptsPerMinute: 30,
} as const satisfies Partial<IdentitySettings>

/** A ready-made sign-in that the sandbox offers on the sign-in page. `role` is a role claim value. */
export interface SandboxSignIn {
  name: string
  email: string
  password: string
  role: string
}

/** Who may use the product: the roles of a subject, or undefined when no admin record names it. */
export interface AccountDirectory {
  rolesOf(sub: string): Promise<{ roles: string[]; disabled: boolean } | undefined>
}

/** Everything the embedded provider is given. */
export interface IdentityDeps {
  db: Db
  clock: Clock
  log: Log
  secrets: IdentitySecrets
  settings: IdentitySettings
  accounts: AccountDirectory
  sandboxSignIns?: readonly SandboxSignIn[]
}

/** The client id under which the console is registered. */
export const CONSOLE_CLIENT = 'console'

/** The issuer of the embedded provider. */
export const issuerOf = (publicUrl: string): string => `${publicUrl}/identity`

/** The audience of access tokens for the API. */
export const audienceOf = (publicUrl: string): string => `${publicUrl}/v1`
