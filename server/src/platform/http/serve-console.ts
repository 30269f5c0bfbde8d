import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from './error-handler.ts'
import { problem } from './problem.ts'

/** Paths that are calls, not pages; an unknown one answers a problem instead of the console. */
const CALLS = /^\/(v1|identity|healthz|readyz|metrics|docs|config\.json)(\/|$|\?)/

/**
 * Serves the built console: hashed assets for a year, the page itself never cached, and the page for every path that is no call, because
 * the console routes by itself.
 *
 * @param root folder of the build
 */
export const serveConsole = async (app: FastifyInstance, root: string): Promise<void> => {
  // without a build (development) the console comes from elsewhere
  const built = existsSync(root)
  if (built) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      setHeaders: (reply, file) => {
        const hashed = file.includes(`${path.sep}assets${path.sep}`)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        if (path.basename(file) === 'silent-renew.html') allowFraming(reply)
      },
    })
    // what browsers ask for by themselves on pages that name no icon
    app.get('/favicon.ico', (_, reply) => reply.sendFile('icon.svg'))
    app.get('/auth/silent-renew', (_, reply) => {
      allowFraming(reply)
      return reply.sendFile('silent-renew.html')
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const page = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html') && !CALLS.test(request.url)
    if (page && built) return reply.header('cache-control', 'no-cache').sendFile('index.html')
    return sendProblem(reply, problem('NOT_FOUND'), request)
  })
}

/** The one page that the console itself opens in a frame. */
const allowFraming = (reply: { header(name: string, value: string): unknown }): void => {
  reply.header('x-frame-options', 'SAMEORIGIN')
  reply.header('content-security-policy', "default-src 'none'; script-src 'self'; frame-ancestors 'self'; base-uri 'none'")
}
