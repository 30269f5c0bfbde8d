import type { Socket } from 'node:net'
import {
  BindRequest,
  ExtendedRequest,
  type Filter,
  type Message,
  MessageParser,
  type MessageResponse,
  PagedResultsControl,
  SearchEntry,
  SearchReference,
  SearchRequest,
  UnbindRequest,
} from 'ldapts'
import { sizeText } from '../kit/csv-writer.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AddressPolicy } from '../kit/source-address.ts'
import { connectionFailure } from '../kit/source-failure.ts'
import { resultProblem } from './ldap-failure.ts'
import type { LdapSettings } from './ldap-settings.ts'
import { openSocket, secureSocket } from './ldap-socket.ts'

export interface LdapLimits extends AddressPolicy {
  /** Connecting, and the longest silence of the directory, in milliseconds. */
  readonly timeoutMs: number
  /** Largest answer to one request in bytes: it is held in memory. */
  readonly answerBytes: number
  readonly signal: AbortSignal
}

export interface LdapSearch {
  readonly base: string
  readonly scope: 'base' | 'one' | 'sub'
  readonly filter: Filter
  readonly attributes: readonly string[]
  /** RFC 2696. Absent: not paged. */
  readonly page?: { readonly size: number; readonly cookie: Buffer }
}

export interface LdapPage {
  readonly entries: readonly SearchEntry[]
  /** Asks for the next page; empty after the last, whatever the page holds. */
  readonly cookie: Buffer
}

export interface LdapWire {
  bind(): Promise<void>
  /** One page of entries. References to other servers are not followed. Throws ConnectorError. */
  search(search: LdapSearch): Promise<LdapPage>
  /** Bytes received so far. */
  readonly received: number
  close(): void
}

interface Waiting {
  readonly message: Message
  readonly entries: SearchEntry[]
  resolve(answer: MessageResponse): void
  reject(error: unknown): void
}

/** What every message begins with (RFC 4511 section 4.1.1). */
const SEQUENCE = 0x30
const START_TLS = '1.3.6.1.4.1.1466.20037'
/** RFC 4511 section 4.4.1: the directory says goodbye by a message without an id of ours. */
const UNSOLICITED = 0

/** Requests and their answers on one connection, which is never made again by itself: a new one would not be signed in. */
const createExchange = (settings: LdapSettings, limits: LdapLimits) => {
  const { host } = settings
  const waiting = new Map<string, Waiting>()
  let socket: Socket | undefined
  let ended: unknown
  let lastId = UNSOLICITED
  let received = 0
  let answerBytes = 0
  let leave = (): Socket | undefined => undefined

  const end = (reason: unknown): void => {
    ended ??= reason
    for (const one of waiting.values()) one.reject(ended)
    waiting.clear()
    socket?.on('error', () => undefined).destroy()
  }

  const take = (answer: MessageResponse): void => {
    const one = waiting.get(String(answer.messageId))
    if (!one || answer instanceof SearchReference) return
    if (answer instanceof SearchEntry) {
      one.entries.push(answer)
      return
    }
    waiting.delete(String(answer.messageId))
    one.resolve(answer)
  }

  const notLdap = () => end(new ConnectorError({ code: 'SOURCE_NOT_LDAP', params: { host }, detail: `${host}: no LDAP message` }))

  const listen = (to: Socket): void => {
    const parser = new MessageParser()
    parser.on('message', take)
    parser.on('error', notLdap)
    socket = to
    const silent = () => {
      if (waiting.size > 0) end(new ConnectorError({ code: 'SOURCE_TIMEOUT', params: { host, page: 1 }, retryable: true }))
    }
    const read = (bytes: Buffer) => {
      // the parser would take any first byte and wait for the rest
      if (received === 0 && bytes[0] !== SEQUENCE) return notLdap()
      received += bytes.length
      answerBytes += bytes.length
      if (answerBytes <= limits.answerBytes) parser.read(bytes, waiting)
      else end(new ConnectorError({ code: 'SOURCE_PAGE_TOO_LARGE', params: { host, page: 1, limit: sizeText(limits.answerBytes) } }))
    }
    const failed = (error: Error) => end(connectionFailure(host, error))
    const closed = () => end(connectionFailure(host, { code: 'ECONNRESET' }))
    to.setTimeout(limits.timeoutMs)
    to.on('timeout', silent).on('data', read).on('error', failed).on('close', closed)
    leave = () => to.setTimeout(0).off('timeout', silent).off('data', read).off('error', failed).off('close', closed)
  }

  const send = (build: (messageId: number) => Message): Promise<{ answer: MessageResponse; entries: SearchEntry[] }> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined || !socket) {
        reject(ended)
        return
      }
      lastId += 1
      if (waiting.size === 0) answerBytes = 0
      const message = build(lastId)
      const entries: SearchEntry[] = []
      waiting.set(String(lastId), { message, entries, resolve: (answer) => resolve({ answer, entries }), reject })
      socket.write(message.write())
    })

  return {
    listen,
    send,
    end,
    /** Gives up the plain socket, so that TLS can be put over it. */
    release: (): Socket | undefined => leave(),
    unbind: () => {
      if (ended === undefined) socket?.end(new UnbindRequest({ messageId: lastId + 1 }).write())
    },
    received: () => received,
  }
}

type Exchange = ReturnType<typeof createExchange>

const startTls = async (exchange: Exchange, settings: LdapSettings, limits: LdapLimits): Promise<void> => {
  const { answer } = await exchange.send((messageId) => new ExtendedRequest({ messageId, oid: START_TLS }))
  if (answer.status !== 0) throw resultProblem(answer, 'startTls', settings)
  const plain = exchange.release()
  if (plain) exchange.listen(await secureSocket(plain, settings, limits))
}

const pageControl = ({ size, cookie }: NonNullable<LdapSearch['page']>) =>
  // critical: a directory that cannot page says so, instead of sending everything at once
  new PagedResultsControl({ critical: true, value: { size, cookie } })

/**
 * Connects to a directory by the messages of ldapts. Its client is not used: it takes an empty page for the last one though its cookie asks for more,
 * and connects again without signing in; both would make people look gone.
 */
export const connectLdap = async (settings: LdapSettings, limits: LdapLimits): Promise<LdapWire> => {
  limits.signal.throwIfAborted()
  const exchange = createExchange(settings, limits)
  const abort = () => exchange.end(limits.signal.reason)
  const close = () => {
    limits.signal.removeEventListener('abort', abort)
    exchange.unbind()
    exchange.end(new ConnectorError({ code: 'SOURCE_CUT', params: { host: settings.host } }))
  }
  exchange.listen(await openSocket(settings, limits))
  limits.signal.addEventListener('abort', abort, { once: true })
  try {
    if (settings.encryption === 'startTls') await startTls(exchange, settings, limits)
  } catch (error) {
    close()
    throw error
  }

  return {
    bind: async () => {
      const { credentials } = settings
      if (!credentials) return
      const { answer } = await exchange.send((messageId) => new BindRequest({ messageId, ...credentials }))
      if (answer.status !== 0) throw resultProblem(answer, 'bind', settings)
    },
    search: async ({ base, scope, filter, attributes, page }) => {
      const controls = page ? [pageControl(page)] : []
      const search = { baseDN: base, scope, filter, attributes: [...attributes], timeLimit: 0, controls }
      const { answer, entries } = await exchange.send((messageId) => new SearchRequest({ messageId, ...search }))
      if (answer.status !== 0) throw resultProblem(answer, 'search', settings)
      const paged = answer.controls?.find((control) => control instanceof PagedResultsControl)
      return { entries, cookie: paged?.value?.cookie ?? Buffer.alloc(0) }
    },
    get received() {
      return exchange.received()
    },
    close,
  }
}
