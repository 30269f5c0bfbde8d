import type { ProblemBody, ProblemCode } from '@instep/contract/problem.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isTransient } from '../runs/is-transient.ts'
import { Problem, problem } from './problem.ts'
import { fieldTexts, problemText, problemWords } from './problem-text.ts'

/** Fastify's own refusals as problems of ours. */
const FASTIFY_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BODY_UNREADABLE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'BODY_UNREADABLE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BODY_UNREADABLE',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'FILE_MISSING',
  FST_REQ_FILE_TOO_LARGE: 'FILE_TOO_LARGE',
}

/**
 * Turns what is thrown into the error body of the contract. A bug answers 500 with its correlation id and tells nothing else; a database that is
 * not there at the moment, or that undid the call because of another one, 503: the same call may succeed.
 */
export const handleErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asProblem(error)
    if (known) {
      request.log.info({ code: known.code, detail: known.details.detail }, 'refused')
      return sendProblem(reply, known, request)
    }
    request.log.error({ err: error }, 'failed')
    return sendProblem(reply, problem(isTransient(error) ? 'UNAVAILABLE' : 'INTERNAL'), request)
  })
}

/**
 * Answers what is refused before it has a route: an address that is no address, or with a part longer than any id. No hook runs for these, so
 * the answer brings its own headers.
 */
export const answerUnroutable = (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  reply.headers({ 'x-correlation-id': request.id, 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'" })
  sendProblem(reply, problem('NOT_FOUND'), request)
}

const asProblem = (error: FastifyError): Problem | undefined => {
  if (error instanceof Problem) return error
  const code = FASTIFY_PROBLEMS[error.code]
  if (code) return problem(code)
  if (error.statusCode === 429) return problem('TOO_MANY_REQUESTS')
  // a request that Fastify could not parse at all
  return error.statusCode !== undefined && error.statusCode < 500 ? problem('BODY_UNREADABLE', { detail: error.message }) : undefined
}

/** Sends a problem; 401 says how to authenticate (RFC 6750 section 3). */
export const sendProblem = (reply: FastifyReply, { code, status, details }: Problem, request: FastifyRequest): FastifyReply => {
  const words = problemWords(request.headers['accept-language'])
  const body: ProblemBody = {
    code,
    message: problemText(words, code, details.params),
    correlationId: request.id,
    ...(details.fields ? { fields: fieldTexts(words, details.fields) } : {}),
    ...(details.params ? { params: details.params } : {}),
    ...(details.current === undefined ? {} : { current: details.current }),
  }
  if (status === 401) reply.header('www-authenticate', code === 'SESSION_EXPIRED' ? 'Bearer' : 'Bearer error="invalid_token"')
  if (status === 429 || status === 503) reply.header('retry-after', '30')
  return reply.status(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body)
}
