import { createHash } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import SftpClient from 'ssh2-sftp-client'
import type { FetchingSource } from '../kit/fetching-source.ts'
import { ConnectorError } from '../kit/problem.ts'
import { type AddressPolicy, assertHostAllowed, guardedSourceLookup, unreachable } from '../kit/source-address.ts'
import { choiceSetting, type FileSettings, folderRules, invalidSetting, SIGN_INS, textSetting } from './delivery-settings.ts'
import { type Folder, type FolderEntry, type FolderTiming, fetchFromFolder } from './fetched-folder.ts'

export interface SftpOptions extends FolderTiming, AddressPolicy {
  /** The fingerprint that was looked at and kept. */
  readonly hostKey: string | undefined
  /** Until the connection is made and the sign-in is over. Default 20,000. */
  readonly timeoutMilliseconds?: number
}

interface Place {
  readonly host: string
  readonly port: number
  readonly folder: string
  readonly signIn: { username: string; password?: string; privateKey?: string; passphrase?: string }
}

const ARCHIVE = 'archive'
const NO_SUCH_FILE = 2

const readPlace = ({ properties, secrets }: FileSettings, policy: AddressPolicy): Place => {
  const host = textSetting(properties.host, 'host').trim()
  if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(host)) throw invalidSetting('host')
  assertHostAllowed(host, policy)
  const port = Number(properties.port ?? 22)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalidSetting('port')
  const username = textSetting(properties.username, 'username')
  const folder = typeof properties.folder === 'string' && properties.folder !== '' ? properties.folder.replace(/\/+$/, '') || '/' : '.'
  if (choiceSetting(properties.signIn, 'signIn', SIGN_INS) === 'password')
    return { host, port, folder, signIn: { username, password: textSetting(secrets.password, 'password') } }
  const privateKey = textSetting(secrets.privateKey, 'privateKey')
  return { host, port, folder, signIn: { username, privateKey, ...(secrets.passphrase ? { passphrase: secrets.passphrase } : {}) } }
}

/** A public key in SSH's own form, as `ssh-keygen -l` writes it. */
export const fingerprintOf = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

const openSocket = ({ host, port }: Place, options: SftpOptions, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, noDelay: true, lookup: guardedSourceLookup(options) })
    const fail = (error: unknown) => {
      socket.destroy()
      reject(error)
    }
    const abort = () => fail(signal.reason)
    socket.setTimeout(options.timeoutMilliseconds ?? 20_000, () => fail(unreachable(host, { code: 'ETIMEDOUT' })))
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', (error) => fail(unreachable(host, error)))
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort)
      socket.setTimeout(0)
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

/** What the library says, as a problem of ours; its own words may hold names but no secrets. */
const problemOf = (error: unknown, { host, folder }: Place): ConnectorError => {
  if (error instanceof ConnectorError) return error
  const text = error instanceof Error ? error.message : ''
  if (codeOf(error) === NO_SUCH_FILE || codeOf(error) === 'ENOENT' || /no such file|not exist/i.test(text))
    return new ConnectorError({ code: 'SOURCE_FOLDER_MISSING', params: { folder }, detail: text, cause: error })
  if (/authentication|permission denied|privateKey|passphrase|encrypted .* key/i.test(text) || codeOf(error) === 3)
    return new ConnectorError({ code: 'SOURCE_UNAUTHORISED', detail: 'the sign-in was refused', cause: error })
  if (/time/i.test(text)) return unreachable(host, { code: 'ETIMEDOUT' })
  return new ConnectorError({ code: 'SOURCE_CUT', retryable: true, detail: 'the connection ended', cause: error })
}

const isFileName = (name: string): boolean => !/[/\\\0]/.test(name) && name !== '.' && name !== '..'

const entryOf = (name: string, { size, modifyTime }: { size: number; modifyTime: number }): FolderEntry => ({
  name,
  size,
  modifiedAt: new Date(modifyTime),
})

interface Connection {
  readonly client: SftpClient
  readonly socket: Socket
  readonly fingerprint: string | undefined
}

const connect = async (place: Place, options: SftpOptions, signal: AbortSignal): Promise<Connection> => {
  const socket = await openSocket(place, options, signal)
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort, { once: true })
  const client = new SftpClient('instep', { error: () => undefined, end: () => undefined, close: () => undefined })
  let fingerprint: string | undefined
  let refusal: ConnectorError | undefined
  const hostVerifier = (key: Buffer): boolean => {
    fingerprint = fingerprintOf(key)
    const expected = options.hostKey
    if (expected === fingerprint) return true
    const params = { found: fingerprint, host: place.host }
    refusal = expected
      ? new ConnectorError({ code: 'SOURCE_HOST_KEY_CHANGED', params: { ...params, expected } })
      : new ConnectorError({ code: 'SOURCE_HOST_KEY_UNKNOWN', params })
    return false
  }
  try {
    const ways = { sock: socket, hostVerifier, readyTimeout: options.timeoutMilliseconds ?? 20_000, keepaliveInterval: 10_000 }
    await client.connect({ ...place.signIn, ...ways, retries: 0 })
    return { client, socket, fingerprint }
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw refusal ?? problemOf(error, place)
  }
}

const remoteFolder = (connection: Connection, place: Place, signal: AbortSignal): Folder => {
  const { client, socket, fingerprint } = connection
  const at = (...names: string[]): string => [place.folder === '/' ? '' : place.folder, ...names].join('/')
  const trying = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      signal.throwIfAborted()
      throw problemOf(error, place)
    })
  const look = async (name: string): Promise<FolderEntry | undefined> => {
    const stats = await client.stat(at(name)).catch((error: unknown) => {
      if (problemOf(error, place).code === 'SOURCE_FOLDER_MISSING') return undefined
      throw error
    })
    return stats?.isFile ? entryOf(name, stats) : undefined
  }
  const read = async (name: string): Promise<Readable> => {
    const stream: Readable = client.createReadStream(at(name))
    socket.once('close', () => stream.destroy(new Error('the connection ended')))
    return stream
  }
  return {
    list: async () => {
      const entries = await trying(client.list(place.folder))
      return entries.filter(({ type, name }) => type === '-' && isFileName(name)).map((entry) => entryOf(entry.name, entry))
    },
    look: (name) => trying(look(name)),
    read,
    archive: async (name, as) => {
      if ((await trying(client.exists(at(ARCHIVE)))) === false) await trying(client.mkdir(at(ARCHIVE)))
      if (await look(name)) await trying(client.rename(at(name), at(ARCHIVE, as)))
    },
    archived: { look: (as) => trying(look(`${ARCHIVE}/${as}`)), read: (as) => read(`${ARCHIVE}/${as}`) },
    giveBack: async (as, name) => {
      // the protocol's rename refuses a place that is taken; asked before, so that the refusal is no failure
      if (!(await trying(look(name)))) await trying(client.rename(at(ARCHIVE, as), at(name)))
    },
    hostKey: () => fingerprint,
    close: async () => {
      // the library's own way waits for the server's good-bye
      socket.destroy()
    },
  }
}

/** Files in a folder of an SFTP server, whose host key is known. Throws SOURCE_SETTINGS_INVALID and SOURCE_ADDRESS_REFUSED. */
export const createSftpSource = (settings: FileSettings, options: SftpOptions): FetchingSource => {
  const place = readPlace(settings, options)
  const open = async (signal: AbortSignal): Promise<Folder> => remoteFolder(await connect(place, options, signal), place, signal)
  return fetchFromFolder(open, folderRules(settings), options)
}
