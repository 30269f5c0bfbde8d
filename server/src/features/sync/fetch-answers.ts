import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { PROBLEMS, type ProblemCode } from '@instep/contract/problem.ts'
import { problem } from '../../platform/http/problem.ts'
import type { RunReason } from '../../platform/runs/run.ts'
import { sizeInWords } from './size-in-words.ts'

/** Why a fetch gave nothing, for a sentence. */
export const reasonOf = ({ code, params }: ConnectorError): RunReason =>
  code === 'FILE_TOO_LARGE' && typeof params.limit === 'number' ? { code, params: { limit: sizeInWords(params.limit) } } : { code, params }

const isProblemCode = (code: string): code is ProblemCode => code in PROBLEMS

/** The same as a problem that a call answers with; what else went wrong stays what it is. */
export const asFetchProblem = (error: unknown): unknown => {
  if (!(error instanceof ConnectorError) || !isProblemCode(error.code)) return error
  return problem(error.code, { params: { ...reasonOf(error).params }, detail: error.detail })
}
