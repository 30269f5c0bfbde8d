import type { Dispatcher } from 'undici'
import { type Asked, unproven } from './scim-answers.ts'

/** An answer as it came. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** How long there is for an answer. */
export interface TimeLimit {
  /** From now on this is what ends when the time is over; at once where it is over already. */
  ends(work: () => void): void
  /** Why it is over, if it is. */
  over(): 'timedOut' | 'aborted' | undefined
  /** Nothing is waited for any more. */
  done(): void
}

/** A limit that is reached after the time, or with the caller's signal. */
export const timeLimit = (timeoutMs: number, signal: AbortSignal | undefined): TimeLimit => {
  let timedOut = false
  let end = () => {}
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, timeoutMs)
  const abort = () => end()
  signal?.addEventListener('abort', abort, { once: true })
  const over = () => (timedOut ? 'timedOut' : signal?.aborted ? 'aborted' : undefined)
  return {
    over,
    ends: (work) => {
      end = work
      if (over()) work()
    },
    done: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}

const textOf = (chunks: readonly Buffer[]): string => {
  const [only] = chunks
  return chunks.length === 1 && only ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8')
}

/**
 * Sends a request and takes in the whole answer, of so many bytes at most. By undici's own dispatch: `request` makes a stream of every answer and an
 * abort signal's listener of every request, and the two take longer than the request itself.
 */
export const receiveAnswer = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { asked, limit, time }: { asked: Asked; limit: number; time: TimeLimit },
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let status = 0
    let headers: Received['headers'] = {}
    let under: Dispatcher.DispatchController | undefined
    let ended: Error | undefined
    time.ends(() => {
      ended = new Error('the request was ended')
      under?.abort(ended)
      reject(ended)
    })
    if (ended) return
    dispatcher.dispatch(options, {
      onRequestStart: (controller) => {
        under = controller
        // one that waited for a connection until its time was over
        if (ended) controller.abort(ended)
      },
      onResponseStart: (_controller, statusCode, given) => {
        status = statusCode
        headers = given
      },
      onResponseData: (_controller, chunk) => {
        length += chunk.length
        // undici ends the connection and passes it on to onResponseError
        if (length > limit) throw unproven(asked, 'tooLarge', `an answer of more than ${limit} bytes`)
        chunks.push(chunk)
      },
      onResponseEnd: () => resolve({ status, headers, text: textOf(chunks) }),
      onResponseError: (_controller, error) => reject(error),
    })
  })
