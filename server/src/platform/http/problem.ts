import type { FieldMessage } from '@instep/contract/field-message.ts'
import { PROBLEMS, type ProblemCode } from '@instep/contract/problem.ts'

interface ProblemDetails {
  /** Field name → what is wrong with it, shown beside the field in the caller's language. */
  fields?: Record<string, readonly FieldMessage[]>
  /** Fills the placeholders of the words. */
  params?: Record<string, string | number>
  /** What stands there now, where the call lost a race. */
  current?: unknown
  /** For the log only; never leaves the server. */
  detail?: string
}

/** An answer from the closed list of problems. Anything else that is thrown is a bug and answers 500. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly details: ProblemDetails

  constructor(code: ProblemCode, details: ProblemDetails) {
    super(details.detail ?? code)
    this.code = code
    this.status = PROBLEMS[code]
    this.details = details
  }
}

/** A problem to throw: `throw problem('NOT_FOUND')`. */
export const problem = (code: ProblemCode, details: ProblemDetails = {}): Problem => new Problem(code, details)
