/** What a receiver's answer, or the lack of one, means for what comes next. */
import { notSentReason } from '../kit/not-sent.ts'
import { ConnectorError } from '../kit/problem.ts'
import { retryAfter as secondsToWait } from '../kit/retry-after.ts'
import { ADDRESS_REFUSED } from '../kit/source-address.ts'
import { errorCode } from '../kit/source-failure.ts'

export interface Reply {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The beginning of what it said. */
  readonly text: string
}

/** A receiver that is gone is asked again this often: nobody's leaving must get lost because an address was wrong for a day. */
const GONE_WAIT_SECONDS = 3600
const LONGEST_WORDS = 300

/** What a receiver said in one line that may be shown. */
export const wordsOf = (text: string): string =>
  text
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, LONGEST_WORDS)
    .toWellFormed()

type Meaning = Pick<ConstructorParameters<typeof ConnectorError>[0], 'code' | 'retryable' | 'retryAfterSeconds'>

/**
 * A wrong secret is answered with 400 by some and with 401 or 403 by others, and concerns everybody: none of them may give a person up. What only
 * this event can be the reason for is final until the person changes.
 */
const meaningOf = ({ status, retryAfter }: Reply, now: Date): Meaning => {
  const wait = secondsToWait(retryAfter, now)
  const wished = wait === undefined ? {} : { retryAfterSeconds: wait }
  if (status === 410) return { code: 'TARGET_UNAVAILABLE', retryable: true, retryAfterSeconds: GONE_WAIT_SECONDS }
  if (status === 429) return { code: 'TARGET_THROTTLED', retryable: true, ...wished }
  if (status === 503) return { code: 'TARGET_UNAVAILABLE', retryable: true, ...wished }
  if (status === 401 || status === 403) return { code: 'TARGET_UNAUTHORISED', retryable: true }
  if (status >= 500 || status === 408) return { code: 'TARGET_UNCERTAIN', retryable: true }
  if (status === 409 || status === 413 || status === 422) return { code: 'TARGET_REFUSED' }
  return { code: 'TARGET_UNEXPECTED', retryable: true }
}

/** The error that an answer other than 2xx stands for. Redirects are not followed: what is signed for one place is not sent to another. */
export const replyProblem = (host: string, reply: Reply, now: Date): ConnectorError => {
  const said = wordsOf(reply.text)
  return new ConnectorError({
    ...meaningOf(reply, now),
    params: { status: reply.status, ...(said ? { message: said } : {}) },
    detail: `POST ${host}: ${reply.status}${said ? ` ${said}` : ''}`,
  })
}

/** The error that a request without an answer stands for: TARGET_UNREACHABLE when nothing was sent, else TARGET_UNCERTAIN. */
export const sendingProblem = (host: string, error: unknown): ConnectorError => {
  const code = errorCode(error)
  if (code === ADDRESS_REFUSED)
    return new ConnectorError({
      code: 'TARGET_ADDRESS_REFUSED',
      params: { property: 'endpoint', host },
      detail: `${host} may not be asked from here`,
    })
  const reason = notSentReason(code)
  const detail = `POST ${host}: ${code}`
  if (reason) return new ConnectorError({ code: 'TARGET_UNREACHABLE', params: { reason }, retryable: true, detail })
  return new ConnectorError({ code: 'TARGET_UNCERTAIN', params: { reason: 'reset' }, retryable: true, detail })
}
