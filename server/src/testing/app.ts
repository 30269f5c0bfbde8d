import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint, InputOf, ResponseOf } from '@instep/contract/endpoint.ts'
import { fillPath } from '@instep/contract/endpoint.ts'
import type { ProblemBody } from '@instep/contract/problem.ts'
import { type App, buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { Secrets } from '../platform/crypto/secrets.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { createTokenMint, type TokenMint } from './token-mint.ts'
import { PUBLIC_URL, readWorld, SECRETS, type TestAdmin, type TestWorld, WORLD } from './world.ts'

export { TEST_ADMINS, type TestAdmin } from './world.ts'

export interface Answered<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

export interface TestApp {
  readonly url: string
  readonly app: App
  readonly database: TestDatabase
  readonly secrets: Secrets
  readonly world: TestWorld
  readonly dataDir: string
  readonly mint: TokenMint
  /** A valid access token of that administrator. */
  tokenOf(admin: TestAdmin): Promise<string>
  /** Ids of the administrators' own records. */
  readonly adminIds: Readonly<Record<TestAdmin, string>>
  /** A call as that administrator; the answer is a success or a problem, told by `status`. */
  call<E extends Endpoint>(admin: TestAdmin, endpoint: E, input?: Partial<InputOf<E>>): Promise<Answered<ResponseOf<E> & ProblemBody>>
  close(): Promise<void>
}

/** Signing takes longer than most calls: a token is used again for as long as a minute, of the ten that it is good for. */
const keeping = (clock: Clock, sign: (admin: TestAdmin) => Promise<string>) => {
  const kept = new Map<TestAdmin, { at: number; token: Promise<string> }>()
  return (admin: TestAdmin): Promise<string> => {
    const at = clock.now().getTime()
    const before = kept.get(admin)
    if (before && at >= before.at && at < before.at + 60_000) return before.token
    const token = sign(admin)
    kept.set(admin, { at, token })
    return token
  }
}

/** The real server on a fresh database, listening on a free port, workers not started unless asked. Close it after all tests of a file. */
export const testApp = async (options: { clock?: Clock; workers?: boolean; env?: Record<string, string> } = {}): Promise<TestApp> => {
  const database = await testDatabase({ filling: WORLD })
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-calls-'))
  const clock = options.clock ?? systemClock
  const secrets = SECRETS
  const config = { ...readConfig({ PUBLIC_URL, SANDBOX: 'off', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...options.env }) }
  const app = await buildApp({ config, db: database.db, pool: database.pool, clock, secrets, checkResponses: true })
  const mint = await createTokenMint({ db: database.db, secrets, publicUrl: PUBLIC_URL, clock })
  const { world, subjects, adminIds } = await readWorld(database)
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  if (options.workers) app.startWorkers()
  const tokenOf = keeping(clock, (admin) => mint.accessToken({ sub: subjects[admin] }))

  return {
    url,
    app,
    database,
    secrets,
    world,
    dataDir,
    mint,
    tokenOf,
    adminIds,
    call: async (admin, endpoint, input = {}) => {
      const query = new URLSearchParams(
        Object.entries((input.query ?? {}) as Record<string, unknown>).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const response = await fetch(`${url}/v1${fillPath(endpoint.path, (input.params ?? {}) as Record<string, unknown>)}?${query}`, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${await tokenOf(admin)}`,
          ...(endpoint.bodyKind === 'json' ? { 'content-type': 'application/json' } : {}),
        },
        ...(endpoint.bodyKind === 'json' ? { body: JSON.stringify(input.body ?? {}) } : {}),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as never }
    },
    close: async () => {
      await app.stop()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
