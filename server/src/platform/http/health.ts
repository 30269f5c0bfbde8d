import type { FastifyInstance } from 'fastify'
import { sendProblem } from './error-handler.ts'
import { problem } from './problem.ts'

/**
 * `/healthz`: the process answers. `/readyz`: the database answers and every migration is applied.
 *
 * @param isReady rejects with the reason when the server should get no traffic
 */
export const serveHealth = (app: FastifyInstance, isReady: () => Promise<void>): void => {
  app.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    try {
      await isReady()
      return reply.header('cache-control', 'no-store').send({ status: 'ready' })
    } catch (error) {
      return sendProblem(reply, problem('UNAVAILABLE', { detail: String(error) }), request)
    }
  })
}
