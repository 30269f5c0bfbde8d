import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isTransient } from '../../platform/runs/is-transient.ts'
import { errorBody, refuse, ScimError } from './scim-error.ts'
import { rememberError } from './scim-status.views.ts'

export const SCIM_TYPE = 'application/scim+json; charset=utf-8'

/** Sends a body in SCIM's content type; as bytes, because it is no answer of the contract. */
export const sendScim = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.status(status).type(SCIM_TYPE).send(JSON.stringify(body))

const scimErrorOf = (error: FastifyError | ScimError): ScimError | undefined => {
  if (error instanceof ScimError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ScimError(413, 'The body is too large.')
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ScimError(415, 'The content type must be application/scim+json.')
  if (error.statusCode !== undefined && error.statusCode < 500) return refuse('invalidSyntax', 'The body is no valid JSON.')
  return undefined
}

/** What whoever looks after the connector wants to know of; that a resource is gone or has moved on is everyday. */
const isWorthTelling = ({ status }: ScimError): boolean => ![401, 404, 412, 429].includes(status)

interface Failed {
  readonly error: unknown
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Answers what was thrown as RFC 7644 section 3.12 has it; what was not foreseen is a 500 that tells nothing but its correlation id. */
export const answerError = async ({ db, clock }: { db: Db; clock: Clock }, { error, request, reply }: Failed): Promise<FastifyReply> => {
  const known = scimErrorOf(error as FastifyError)
  if (!known) request.log.error({ err: error }, 'failed')
  const unforeseen = isTransient(error as Error)
    ? new ScimError(503, 'Not ready at the moment.')
    : new ScimError(500, 'Something went wrong.')
  const told = known ?? unforeseen
  const { status, message, scimType } = told
  if (request.pusher && isWorthTelling(told)) {
    const last = { at: clock.now().toISOString(), method: request.method, status, detail: message }
    await rememberError(db, request.pusher, last).catch((failure: unknown) =>
      request.log.warn({ err: failure }, 'the last error was not remembered'),
    )
  }
  if (status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"')
  if (status === 503 || (status === 429 && !reply.hasHeader('retry-after'))) reply.header('retry-after', '30')
  return sendScim(reply, status, errorBody(status, message, scimType))
}
