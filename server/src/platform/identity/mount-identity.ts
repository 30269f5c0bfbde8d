import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readForms, sendTrouble, wordsOfRequest } from './form-posts.ts'
import { type IdentityDeps, issuerOf } from './identity-settings.ts'
import { registerInteractionRoutes } from './interaction-routes.ts'
import { rotateKeys } from './keys.ts'
import { createPasswordCheck } from './passwords.ts'
import { createLiveProvider, isSecureUrl, type LiveProvider } from './provider.ts'
import { registerSetupRoutes } from './setup-routes.ts'
import { createSignIn } from './sign-in.ts'

const DAY_SECONDS = 86_400

/** What mounting gives back. */
export interface Identity {
  issuer: string
  /** Takes over rotated keys at once; without it they are noticed within 15 seconds. */
  refreshKeys(): Promise<void>
}

/** The files of the pages: address below `/identity`, where the file is, and its type. */
const ASSETS = [
  ['/style.css', new URL('./assets/style.css', import.meta.url).href, 'text/css; charset=utf-8'],
  ['/confirm.js', new URL('./assets/confirm.js', import.meta.url).href, 'text/javascript; charset=utf-8'],
  ['/inter.woff2', import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'), 'font/woff2'],
] as const

const registerAssets = async (scope: FastifyInstance) => {
  for (const [path, file, type] of ASSETS) {
    const content = await readFile(fileURLToPath(file))
    scope.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', `public, max-age=${DAY_SECONDS}`).header('x-content-type-options', 'nosniff').send(content),
    )
  }
}

const registerPages = async (scope: FastifyInstance, deps: IdentityDeps, live: LiveProvider) => {
  const { publicUrl } = deps.settings
  await scope.register(rateLimit, { global: false })
  readForms(scope)
  scope.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    const words = wordsOfRequest(request)
    if (error.statusCode === 429) return sendTrouble(reply, 'tooMany', { words, publicUrl })
    if (error.statusCode !== undefined && error.statusCode < 500) return sendTrouble(reply, 'expired', { words, publicUrl })
    deps.log.error({ err: error }, 'sign-in page failed')
    return sendTrouble(reply, 'failed', { words, publicUrl })
  })
  const signIn = await createSignIn({ ...deps, checkPassword: createPasswordCheck() })
  registerInteractionRoutes(scope, { deps, live, signIn })
  registerSetupRoutes(scope, deps)
}

/**
 * Makes the request look as if it came through the configured address. The provider builds every address it publishes
 * from these headers; a forged one would otherwise end up in its discovery document.
 */
const pinAddress = (request: FastifyRequest, publicUrl: string) => {
  const { host, protocol } = new URL(publicUrl)
  const { headers } = request.raw
  for (const name of Object.keys(headers)) if (name.startsWith('x-forwarded-') || name === 'forwarded') delete headers[name]
  headers.host = host
  headers['x-forwarded-host'] = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
}

const registerProvider = (scope: FastifyInstance, deps: IdentityDeps, live: LiveProvider) => {
  // The provider reads bodies itself.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/*', async (request, reply) => {
    const provider = await live.get()
    reply.hijack()
    const { raw } = request
    pinAddress(request, deps.settings.publicUrl)
    // `originalUrl` tells the provider the path under which it is mounted.
    Object.assign(raw, { originalUrl: raw.url, url: (raw.url ?? '').replace(/^\/identity/, '') || '/' })
    await provider.callback()(raw, reply.raw)
  })
}

const checkPublicUrl = (publicUrl: string) => {
  const { origin } = new URL(publicUrl)
  if (origin !== publicUrl) throw new Error(`the public URL must be an origin without path or trailing slash: ${publicUrl}`)
  if (!isSecureUrl(publicUrl)) throw new Error(`signing in needs https outside loopback addresses (browsers hide Web Crypto): ${publicUrl}`)
}

/**
 * Mounts the embedded OpenID Connect provider, its sign-in pages and its set-up links under `/identity`. Creates the
 * first signing key if there is none.
 *
 * @throws when the public URL is not an origin, or is plain http outside loopback
 */
export const mountIdentity = async (app: FastifyInstance, deps: IdentityDeps): Promise<Identity> => {
  checkPublicUrl(deps.settings.publicUrl)
  await rotateKeys({ db: deps.db, secrets: deps.secrets }, deps.clock.now())
  const live = await createLiveProvider(deps)
  await app.register(
    async (identity) => {
      await registerAssets(identity)
      await identity.register(async (scope) => registerPages(scope, deps, live))
      await identity.register(async (scope) => registerProvider(scope, deps, live))
    },
    { prefix: '/identity' },
  )
  return { issuer: issuerOf(deps.settings.publicUrl), refreshKeys: live.refresh }
}
