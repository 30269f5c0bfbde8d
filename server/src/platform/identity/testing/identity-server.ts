import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { testDatabase } from '../../../testing/database.ts'
import { createSecrets } from '../../crypto/secrets.ts'
import type { Db } from '../../db/database.ts'
import { silentLog } from '../../log.ts'
import {
  type AccountDirectory,
  audienceOf,
  CONSOLE_CLIENT,
  IDENTITY_DEFAULTS,
  type IdentityDeps,
  type IdentitySettings,
} from '../identity-settings.ts'
import { type Identity, mountIdentity } from '../mount-identity.ts'
import { type Answer, createHttpBrowser, type HttpBrowser } from './http-browser.ts'

/** A clock that a test moves. */
export interface HandClock {
  now(): Date
  move(milliseconds: number): void
}

export const createHandClock = (): HandClock => {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    move: (milliseconds) => {
      offset += milliseconds
    },
  }
}

/** The provider of a test, over HTTP, on a database of its own. */
export interface IdentityServer {
  db: Db
  url: string
  deps: IdentityDeps
  clock: HandClock
  identity: Identity
  /** Who has access, by subject; tests change it. */
  entries: Map<string, { roles: string[]; disabled: boolean }>
  close(): Promise<void>
}

const MASTER_KEY = Buffer.alloc(32, 7)

const listen = async (): Promise<{ server: ReturnType<typeof createServer>; url: string }> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export const startIdentityServer = async (
  settings: Partial<IdentitySettings> = {},
  more: Partial<Pick<IdentityDeps, 'sandboxSignIns' | 'log'>> = {},
): Promise<IdentityServer> => {
  const database = await testDatabase()
  const { server, url } = await listen()
  const entries: IdentityServer['entries'] = new Map()
  const accounts: AccountDirectory = { rolesOf: async (sub) => entries.get(sub) }
  const clock = createHandClock()
  const deps: IdentityDeps = {
    db: database.db,
    clock,
    log: silentLog,
    secrets: createSecrets(MASTER_KEY),
    accounts,
    settings: { ...IDENTITY_DEFAULTS, attemptsPerMinute: 1000, flow: 'implicit', ...settings, publicUrl: url },
    ...more,
  }
  // The address must be known before the provider is built, so the socket listens before the application is ready.
  const app = Fastify({ serverFactory: (handler: RequestListener) => server.on('request', handler) })
  const identity = await mountIdentity(app, deps)
  await app.ready()
  const close = async () => {
    await app.close()
    server.closeAllConnections()
    server.close()
    await database.close()
  }
  return { db: database.db, url, deps, clock, identity, entries, close }
}

/** The address with which the console asks for a sign-in. */
export const authorizeUrl = (
  server: Pick<IdentityServer, 'url'>,
  flow: 'implicit' | 'code',
  change: Record<string, string | undefined> = {},
): URL => {
  const url = new URL(`${server.url}/identity/auth`)
  const parameters: Record<string, string | undefined> = {
    client_id: CONSOLE_CLIENT,
    redirect_uri: `${server.url}/auth/callback`,
    scope: 'openid profile api api.basic',
    response_type: flow === 'implicit' ? 'id_token token' : 'code',
    state: 'the-state',
    nonce: 'the-nonce',
    // The challenge of RFC 7636, appendix B.
    ...(flow === 'code' ? { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' } : {}),
    ...change,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** Opens the sign-in page and sends a password. */
export const signIn = async (
  server: IdentityServer,
  person: { email: string; password: string },
  options: { browser?: HttpBrowser; flow?: 'implicit' | 'code' } = {},
): Promise<Answer> => {
  const browser = options.browser ?? createHttpBrowser()
  const page = await browser.get(authorizeUrl(server, options.flow ?? server.deps.settings.flow))
  return await browser.post(page.url, { email: person.email, password: person.password })
}

/** The parameters in the fragment of an answer. */
export const fragmentOf = (answer: Answer): URLSearchParams => new URLSearchParams(answer.url.hash.slice(1))

/** The audience of the API of a server. */
export const apiAudience = (server: Pick<IdentityServer, 'url'>): string => audienceOf(server.url)
