import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { sendProblem } from './error-handler.ts'
import { problem } from './problem.ts'

export interface MetricsOptions {
  /** Opens /metrics on the main port to this bearer token. */
  readonly token: string | undefined
  /** Serves /metrics on a port of its own. */
  readonly port: number | undefined
  /** Address that the port of its own listens on. */
  readonly host: string
  /** Figures read when they are asked for. */
  readonly gauges: readonly { name: string; help: string; read: () => Promise<number> }[]
}

const sameText = (a: string, b: string): boolean => {
  const [given, wanted] = [Buffer.from(a), Buffer.from(b)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Prometheus metrics: the process, every call by operation and status, and the gauges given. Closed unless a token or a port opens it. */
export const serveMetrics = async (app: FastifyInstance, { token, port, host, gauges }: MetricsOptions): Promise<void> => {
  if (!token && port === undefined) return
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'instep_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const { operation = 'other' } = request.routeOptions.config as { operation?: string }
    seconds.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
  })
  for (const { name, help, read } of gauges)
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  if (token)
    app.get('/metrics', async (request, reply) => {
      if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`)) return sendProblem(reply, problem('TOKEN_INVALID'), request)
      return reply.type(registry.contentType).send(await registry.metrics())
    })
  if (port !== undefined) await servePort(app, { port, host, registry })
}

const servePort = async (
  app: FastifyInstance,
  { port, host, registry }: { port: number; host: string; registry: Registry },
): Promise<void> => {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  app.log.info({ port: (server.address() as AddressInfo).port }, 'metrics')
  app.addHook('onClose', async () => {
    server.close()
  })
}
