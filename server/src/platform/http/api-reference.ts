import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** `GET /v1/openapi.json` and a page at `/docs` that reads it. */
export const serveApiReference = async (app: FastifyInstance, document: object): Promise<void> => {
  app.get('/v1/openapi.json', (_, reply) => reply.send(document))
  await app.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } })
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      uiConfig: { docExpansion: 'none', displayOperationId: true },
      theme: { title: 'Instep API' },
    })
  })
}
