import { type Endpoint, fillPath, type InputOf, type ResponseOf } from '@instep/contract/endpoint.ts'
import { idMissing, offline, readProblem, unreadable } from './api-problem.ts'
import { missingIdOf } from './missing-ids.ts'
import { readEvents } from './read-events.ts'
import { sendFile } from './send-file.ts'

/** Members of a call that may be left out where nothing in them is required. */
type Member<Name extends string, Value> = Record<string, never> extends Value ? { [Key in Name]?: Value } : { [Key in Name]: Value }
export type CallInput<E extends Endpoint> = Member<'params', InputOf<E>['params']> &
  Member<'query', InputOf<E>['query']> &
  Member<'body', InputOf<E>['body']> & {
    signal?: AbortSignal | undefined
    /** The version that the caller has read; the server refuses the call where another one stands there now. */
    ifMatch?: number | undefined
  }

interface UploadInput<E extends Endpoint> {
  params: InputOf<E>['params']
  file: File
  /** Told the share sent, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** What `createApi` needs. */
export interface ApiOptions {
  /** The service's base address with its version, `https://example.test/v1`. */
  baseUrl: string
  /** The bearer token; throws when the session has expired. */
  accessToken: () => string | Promise<string>
  /** The language in which the server is to say what is wrong with a field, `fr-FR`. */
  language: () => string
  /** Told when a call was refused because the session has expired, by us or by the server. */
  onExpired: () => void
}

export interface Api {
  /** Calls an endpoint and answers its response; throws `ApiProblem`, or `SessionExpiredError` before any request. */
  call: <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<ResponseOf<E>>
  /** Sends one file as the part `file`, telling how far it has come. */
  upload: <E extends Endpoint>(endpoint: E, input: UploadInput<E>) => Promise<ResponseOf<E>>
  /** Follows server-sent events until the server ends them or `signal` aborts; a broken connection is taken up again. */
  watch: <E extends Endpoint>(endpoint: E, input: CallInput<E>, onData: (data: ResponseOf<E>) => void) => Promise<void>
  /** Fetches a file and hands it to the browser under the name the server gives, or the given one. */
  download: <E extends Endpoint>(endpoint: E, input: CallInput<E>, fileName: string) => Promise<void>
}

interface LooseInput {
  params?: unknown
  query?: unknown
  body?: unknown
  signal?: AbortSignal | undefined
  ifMatch?: number | undefined
}

const RETRY_FIRST = 1000
const RETRY_LAST = 15_000

/** The address of a call below `baseUrl`. */
export const addressOf = (baseUrl: string, endpoint: Endpoint, input: LooseInput): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  const search = query.size > 0 ? `?${query}` : ''
  return `${baseUrl}${fillPath(endpoint.path, (input.params ?? {}) as Record<string, unknown>)}${search}`
}

const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    const over = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', over)
      done()
    }
    const timer = setTimeout(over, milliseconds)
    signal?.addEventListener('abort', over)
  })

const save = (content: Blob, fileName: string): void => {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const nameGiven = (response: Response): string | undefined => {
  const header = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  return encoded ? decodeURIComponent(encoded) : /filename="?([^";]+)"?/i.exec(header)?.[1]
}

/** The typed client of the contract. */
export const createApi = ({ baseUrl, accessToken, language, onExpired }: ApiOptions): Api => {
  const token = async (): Promise<string> => {
    try {
      return await accessToken()
    } catch (error) {
      onExpired()
      throw error
    }
  }
  const fail = (status: number, correlationId: string | null, body: unknown): never => {
    const problem = readProblem(status, correlationId, body)
    if (problem.code === 'SESSION_EXPIRED' || problem.code === 'TOKEN_INVALID') onExpired()
    throw problem
  }
  const send = async (endpoint: Endpoint, input: LooseInput, accept: string): Promise<Response> => {
    const headers: Record<string, string> = { authorization: `Bearer ${await token()}`, accept, 'accept-language': language() }
    const missing = missingIdOf(endpoint, input.params)
    if (missing) throw idMissing(missing)
    const withBody = endpoint.bodyKind === 'json'
    if (withBody) headers['content-type'] = 'application/json'
    if (input.ifMatch !== undefined) headers['if-match'] = `"${input.ifMatch}"`
    const response = await fetch(addressOf(baseUrl, endpoint, input), {
      method: endpoint.method,
      headers,
      body: withBody ? JSON.stringify(input.body ?? {}) : null,
      signal: input.signal ?? null,
    }).catch((error: unknown) => {
      throw input.signal?.aborted ? error : offline()
    })
    if (response.ok) return response
    const body = await response.json().catch(() => null)
    return fail(response.status, response.headers.get('x-correlation-id'), body)
  }
  return {
    call: async (endpoint, input) => {
      const response = await send(endpoint, input, 'application/json')
      if (endpoint.responseKind !== 'json') return undefined as never
      return response.json().catch((error: unknown) => {
        throw input.signal?.aborted ? error : unreadable(response.status, response.headers.get('x-correlation-id'))
      })
    },
    upload: async (endpoint, { params, file, onProgress, signal }) => {
      const address = addressOf(baseUrl, endpoint, { params })
      const answer = await sendFile({
        method: endpoint.method,
        address,
        token: await token(),
        language: language(),
        file,
        onProgress,
        signal,
      })
      if (answer.status >= 200 && answer.status < 300) return answer.body as never
      return fail(answer.status, answer.correlationId, answer.body)
    },
    watch: async (endpoint, input, onData) => {
      let delay = RETRY_FIRST
      while (!input.signal?.aborted) {
        try {
          const response = await send(endpoint, input, 'text/event-stream')
          const ended = await readEvents(response, (data) => {
            delay = RETRY_FIRST
            onData(JSON.parse(data))
          })
          if (ended) return
        } catch (error) {
          if (input.signal?.aborted) return
          const passing = error instanceof Error && ['OFFLINE', 'UNAVAILABLE'].includes(error.message)
          if (!passing && !(error instanceof TypeError)) throw error
        }
        await wait(delay, input.signal)
        delay = Math.min(delay * 2, RETRY_LAST)
      }
    },
    download: async (endpoint, input, fileName) => {
      const response = await send(endpoint, input, '*/*')
      save(await response.blob(), nameGiven(response) ?? fileName)
    },
  }
}
