import type { ProblemCode } from '@instep/contract/problem.ts'
import type { MissingId } from './missing-ids.ts'

/** Problems that never reached the server, beside those of the contract. */
export type ClientProblemCode = ProblemCode | MissingId | 'OFFLINE' | 'UNREADABLE'

export interface Problem {
  code: ClientProblemCode
  /** The HTTP status; 0 when there was no answer. */
  status: number
  /** Field name → its messages. */
  fields: Record<string, string[]>
  /** Figures and names for the words of the problem. */
  params: Record<string, string | number>
  /** Under which the server logged it; null when there was no answer. */
  correlationId: string | null
  /** What stands there now, where the call lost a race. */
  current?: unknown
}

/** Why a call failed. Its words come from `problemText`. */
export class ApiProblem extends Error {
  readonly code: ClientProblemCode
  readonly status: number
  readonly fields: Record<string, string[]>
  readonly params: Record<string, string | number>
  readonly correlationId: string | null
  readonly current: unknown

  constructor(problem: Problem) {
    super(problem.code)
    this.name = 'ApiProblem'
    this.code = problem.code
    this.status = problem.status
    this.fields = problem.fields
    this.params = problem.params
    this.correlationId = problem.correlationId
    this.current = problem.current
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the body of a failed answer; what is no problem of ours becomes `INTERNAL` or `UNAVAILABLE` by its status. */
export const readProblem = (status: number, correlationId: string | null, body: unknown): ApiProblem => {
  const given = isRecord(body) ? body : {}
  const known = typeof given['code'] === 'string' && typeof given['correlationId'] === 'string'
  const guess = status === 502 || status === 503 || status === 504 ? 'UNAVAILABLE' : 'INTERNAL'
  return new ApiProblem({
    code: known ? (given['code'] as ProblemCode) : guess,
    status,
    fields: isRecord(given['fields']) ? (given['fields'] as Record<string, string[]>) : {},
    params: isRecord(given['params']) ? (given['params'] as Record<string, string | number>) : {},
    correlationId: known ? (given['correlationId'] as string) : correlationId,
    current: given['current'],
  })
}

/** No answer came: the network or the server is away. */
export const offline = (): ApiProblem => new ApiProblem({ code: 'OFFLINE', status: 0, fields: {}, params: {}, correlationId: null })

/** An answer came that cannot be read. */
export const unreadable = (status: number, correlationId: string | null): ApiProblem =>
  new ApiProblem({ code: 'UNREADABLE', status, fields: {}, params: {}, correlationId })

/** The call lacks an id and was not sent. */
export const idMissing = (code: MissingId): ApiProblem => new ApiProblem({ code, status: 0, fields: {}, params: {}, correlationId: null })
