import type { FastifyInstance } from 'fastify'

/** Reads JSON as Fastify does, and takes an empty body for none: many HTTP libraries name the type of a body they do not send. */
export const allowEmptyBodies = (http: FastifyInstance): void => {
  const readJson = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else readJson(request, body, done)
  })
}
