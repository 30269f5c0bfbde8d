import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Ber, BerReader, BerWriter, BindRequest, ExtendedRequest, PagedResultsControl, ProtocolOperation, SearchRequest } from 'ldapts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../kit/testing/test-certificate.ts'
import { matches } from './ldap-filter.ts'

export interface StandInEntry {
  readonly dn: string
  readonly attributes: Readonly<Record<string, string | Buffer | readonly (string | Buffer)[]>>
}

/** What a stand-in answers instead of the next page: a result code, silence, or an end of the connection in the middle. */
export type LdapMisbehaviour =
  | { readonly status: number; readonly message?: string }
  | { readonly silence: () => void }
  | 'cut'
  | 'empty page'
  | 'same page'

export interface LdapStandIn {
  readonly url: string
  readonly bindDn: string
  readonly password: string
  readonly entries: StandInEntry[]
  /** What the root entry says of the server. */
  readonly root: Record<string, string>
  readonly received: SearchRequest[]
  /** From the search with this number (from 0) on, each search takes the next of these; undefined lets it be answered. */
  misbehave(...ways: (LdapMisbehaviour | undefined)[]): void
  close(): Promise<void>
}

export interface StandInOptions {
  readonly tls?: 'ldaps' | 'startTls' | 'none'
  /** Most entries that one search gives in all. */
  readonly sizeLimit?: number
}

const BIND_DN = 'cn=reader,dc=example,dc=com'
const PASSWORD = 'stand-in-$ecret'
const identity = { key: TEST_KEY, cert: TEST_CERTIFICATE }

const message = ([id, operation]: readonly [number, number], write: (writer: BerWriter) => void, cookie?: Buffer): Buffer => {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(operation)
  write(writer)
  writer.endSequence()
  if (cookie) {
    writer.startSequence(ProtocolOperation.LDAP_CONTROLS)
    new PagedResultsControl({ value: { size: 0, cookie } }).write(writer)
    writer.endSequence()
  }
  writer.endSequence()
  return writer.buffer
}

const result = (id: number, operation: number, { status, text = '', cookie }: { status: number; text?: string; cookie?: Buffer }): Buffer =>
  message(
    [id, operation],
    (writer) => {
      writer.writeEnumeration(status)
      writer.writeString('')
      writer.writeString(text)
    },
    cookie,
  )

const listOf = (value: StandInEntry['attributes'][string]): readonly (string | Buffer)[] =>
  (Array.isArray(value) ? value : [value]) as readonly (string | Buffer)[]

const entryMessage = (id: number, entry: StandInEntry, asked: readonly string[]): Buffer =>
  message([id, ProtocolOperation.LDAP_RES_SEARCH_ENTRY], (writer) => {
    writer.writeString(entry.dn)
    writer.startSequence()
    for (const [name, values] of Object.entries(entry.attributes)) {
      if (!asked.includes(name.toLowerCase().split(';')[0] ?? '')) continue
      writer.startSequence()
      writer.writeString(name)
      writer.startSequence(ProtocolOperation.LBER_SET)
      for (const value of listOf(values)) {
        if (Buffer.isBuffer(value)) writer.writeBuffer(value, Ber.OctetString)
        else writer.writeString(value)
      }
      writer.endSequence()
      writer.endSequence()
    }
    writer.endSequence()
  })

const within = (dn: string, { baseDN, scope }: SearchRequest): boolean => {
  const [name, base] = [dn.toLowerCase(), baseDN.toLowerCase()]
  if (scope === 'base') return name === base
  const below = name.endsWith(`,${base}`)
  return scope === 'one' ? below && !name.slice(0, -base.length - 1).includes(',') : below || name === base
}

const textAttributes = (entry: StandInEntry) =>
  new Map(Object.entries(entry.attributes).map(([name, values]) => [name.toLowerCase(), listOf(values).map(String)] as const))

/** Messages as they arrive, each a whole one. */
const createFramer = (take: (reader: BerReader) => void) => {
  let pending: Buffer = Buffer.alloc(0)
  return (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes])
    for (;;) {
      const reader = new BerReader(pending)
      if (pending.length < 2 || reader.readSequence() === null || reader.remain < reader.length) return
      const end = reader.offset + reader.length
      const whole = new BerReader(pending.subarray(0, end))
      whole.readSequence()
      pending = pending.subarray(end)
      take(whole)
    }
  }
}

interface State {
  readonly entries: StandInEntry[]
  readonly root: Record<string, string>
  readonly received: SearchRequest[]
  readonly ways: (LdapMisbehaviour | undefined)[]
  readonly sizeLimit: number
  readonly found: { key: string; entries: readonly StandInEntry[] }
}

/** The entries of a search, found once for all its pages. */
const foundBy = (state: State, search: SearchRequest): readonly StandInEntry[] => {
  const key = `${search.scope} ${search.baseDN} ${search.filter.toString()} ${state.entries.length}`
  const paged = search.controls?.find((control) => control instanceof PagedResultsControl)?.value
  if (paged?.cookie?.length && state.found.key === key) return state.found.entries
  state.found.key = key
  state.found.entries = state.entries.filter((entry) => within(entry.dn, search) && matches(search.filter, textAttributes(entry)))
  return state.found.entries
}

const answerSearch = (state: State, { socket, bound }: { socket: Socket; bound: boolean }, search: SearchRequest): void => {
  const { messageId: id } = search
  const done = (status: number, more: { text?: string; cookie?: Buffer } = {}) =>
    socket.write(result(id, ProtocolOperation.LDAP_RES_SEARCH, { status, ...more }))
  state.received.push(search)
  if (search.baseDN === '') {
    socket.write(entryMessage(id, { dn: '', attributes: state.root }, search.attributes))
    done(0)
    return
  }
  if (!bound) return void done(1, { text: 'a successful bind must be completed' })
  const way = state.ways.shift()
  if (typeof way === 'object' && 'silence' in way) return void way.silence()
  if (typeof way === 'object') return void done(way.status, { text: way.message ?? '' })
  const found = foundBy(state, search)
  if (search.scope === 'base' && found.length === 0) return void done(32)
  if (!state.entries.some(({ dn }) => dn.toLowerCase().endsWith(search.baseDN.toLowerCase()))) return void done(32)
  const paged = search.controls?.find((control) => control instanceof PagedResultsControl)?.value
  const from = Number(paged?.cookie?.toString() || 0)
  const size = paged?.size ?? found.length
  if (way === 'empty page') return void done(0, { cookie: Buffer.from(String(from)) })
  const page = found.slice(from, from + size)
  for (const [index, entry] of page.entries()) {
    if (from + index >= state.sizeLimit) return void done(4)
    socket.write(entryMessage(id, entry, search.attributes))
    if (way === 'cut' && index >= page.length / 2) return void socket.destroy()
  }
  const next = from + size < found.length ? String(way === 'same page' ? from : from + size) : ''
  done(0, paged ? { cookie: Buffer.from(next) } : {})
}

const serve = (state: State, plain: Socket, tls: StandInOptions['tls']): void => {
  let bound = false
  let socket = plain
  const take = (reader: BerReader): void => {
    const messageId = reader.readInt() ?? 0
    const operation = reader.readSequence()
    if (operation === ProtocolOperation.LDAP_REQ_BIND) {
      const bind = new BindRequest({ messageId })
      bind.parse(reader, [])
      bound = bind.dn === BIND_DN && bind.password === PASSWORD
      const answer = bound ? { status: 0 } : { status: 49, text: `80090308: password ${bind.password} is wrong, data 52e` }
      socket.write(result(messageId, ProtocolOperation.LDAP_RES_BIND, answer))
    } else if (operation === ProtocolOperation.LDAP_REQ_SEARCH) {
      const search = new SearchRequest({ messageId, filter: undefined as never })
      search.parse(reader, [])
      answerSearch(state, { socket, bound }, search)
    } else if (operation === ProtocolOperation.LDAP_REQ_EXTENSION) {
      new ExtendedRequest({ messageId }).parse(reader, [])
      const agreed = tls === 'startTls'
      plain.write(result(messageId, ProtocolOperation.LDAP_RES_EXTENSION, { status: agreed ? 0 : 2 }))
      if (agreed) {
        plain.removeAllListeners('data')
        socket = new TLSSocket(plain, { isServer: true, ...identity })
        socket.on('data', createFramer(take)).on('error', () => undefined)
      }
    }
  }
  socket.on('error', () => undefined)
  if (tls === 'ldaps') socket = new TLSSocket(plain, { isServer: true, ...identity }).on('error', () => undefined)
  socket.on('data', createFramer(take))
}

/** A directory in this process: simple bind, filters, scopes, paged results, StartTLS, and what directories do wrong. */
export const startLdapStandIn = async ({
  tls = 'none',
  sizeLimit = Number.POSITIVE_INFINITY,
}: StandInOptions = {}): Promise<LdapStandIn> => {
  const state: State = { entries: [], root: {}, received: [], ways: [], sizeLimit, found: { key: '', entries: [] } }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(state, socket, tls)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === 'ldaps' ? 'ldaps' : 'ldap'}://127.0.0.1:${port}`,
    bindDn: BIND_DN,
    password: PASSWORD,
    ...state,
    misbehave: (...ways) => state.ways.push(...ways),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
