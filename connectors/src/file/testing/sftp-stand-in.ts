import { generateKeyPairSync } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  utimesSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import ssh2, { type Attributes, type AuthContext, type Connection, type SFTPWrapper } from 'ssh2'
import { fingerprintOf } from '../sftp-source.ts'

const { Server, utils } = ssh2
const { STATUS_CODE } = utils.sftp

/** What its types leave out: small answers are not to wait for more to send. */
type NoDelay = Connection & { setNoDelay(on: boolean): void }

export interface SftpStandIn {
  readonly port: number
  /** Fingerprint of its key. */
  readonly hostKey: string
  /** Passwords that it was told. */
  readonly passwords: string[]
  /** Ends the connection at the first read of a file. */
  cutNext(): void
  close(): Promise<void>
}

export interface SftpAccess {
  readonly username: string
  readonly password?: string
  /** OpenSSH or PEM. */
  readonly publicKey?: string
  /** Whether what is moved has another time then, as where moving is copying. */
  readonly dates?: boolean
}

const attributesOf = ({ mode, uid, gid, size, atimeMs, mtimeMs }: Stats): Attributes => ({
  mode,
  uid,
  gid,
  size,
  atime: Math.floor(atimeMs / 1000),
  mtime: Math.floor(mtimeMs / 1000),
})

/** A folder of this machine behind the part of SFTP that a source uses. */
const serveFolder = (sftp: SFTPWrapper, root: string, { onRead, dates }: { onRead: () => boolean; dates: boolean }): void => {
  const handles = new Map<number, { file?: number; entries?: string[]; folder?: string }>()
  let last = 0
  const at = (name: string) => path.join(root, path.posix.normalize(`/${name}`))
  const opened = (handle: Buffer) => handles.get(handle.readUInt32BE(0)) ?? {}
  const keep = (held: { file?: number; entries?: string[]; folder?: string }): Buffer => {
    last += 1
    handles.set(last, held)
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(last)
    return handle
  }
  const trying = (id: number, work: () => void): void => {
    try {
      work()
    } catch (error) {
      sftp.status(id, (error as NodeJS.ErrnoException).code === 'ENOENT' ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE)
    }
  }
  const stat = (id: number, name: string) => trying(id, () => sftp.attrs(id, attributesOf(lstatSync(at(name)))))
  sftp.on('REALPATH', (id, name) => {
    const filename = path.posix.normalize(`/${name}`)
    sftp.name(id, [{ filename, longname: filename, attrs: {} as Attributes }])
  })
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('FSTAT', (id, handle) => trying(id, () => sftp.attrs(id, attributesOf(fstatSync(opened(handle).file ?? -1)))))
  sftp.on('OPENDIR', (id, name) => trying(id, () => sftp.handle(id, keep({ entries: readdirSync(at(name)), folder: at(name) }))))
  sftp.on('READDIR', (id, handle) => {
    const held = opened(handle)
    const entries = held.entries?.splice(0) ?? []
    if (entries.length === 0) return sftp.status(id, STATUS_CODE.EOF)
    const shown = entries.map((filename) => ({ filename, stats: lstatSync(path.join(held.folder ?? '', filename)) }))
    const kind = (stats: Stats) => (stats.isDirectory() ? 'd' : stats.isSymbolicLink() ? 'l' : '-')
    sftp.name(
      id,
      shown.map(({ filename, stats }) => ({ filename, longname: `${kind(stats)}rw-r--r-- 1 hr hr`, attrs: attributesOf(stats) })),
    )
  })
  sftp.on('OPEN', (id, name) => trying(id, () => sftp.handle(id, keep({ file: openSync(at(name), 'r') }))))
  sftp.on('READ', (...[id, handle, offset, length]) =>
    trying(id, () => {
      if (onRead()) return
      const buffer = Buffer.alloc(Math.min(length, 32_768))
      const read = readSync(opened(handle).file ?? -1, buffer, 0, buffer.length, offset)
      if (read === 0) sftp.status(id, STATUS_CODE.EOF)
      else sftp.data(id, buffer.subarray(0, read))
    }),
  )
  sftp.on('CLOSE', (id, handle) => {
    const { file } = opened(handle)
    if (file !== undefined) closeSync(file)
    handles.delete(handle.readUInt32BE(0))
    sftp.status(id, STATUS_CODE.OK)
  })
  sftp.on('RENAME', (id, from, to) =>
    trying(id, () => {
      if (existsSync(at(to))) throw new Error('what is there is never replaced (draft-ietf-secsh-filexfer-02, section 6.5)')
      renameSync(at(from), at(to))
      if (dates) utimesSync(at(to), new Date(), new Date())
      sftp.status(id, STATUS_CODE.OK)
    }),
  )
  sftp.on('MKDIR', (id, name) =>
    trying(id, () => {
      mkdirSync(at(name))
      sftp.status(id, STATUS_CODE.OK)
    }),
  )
}

const isAdmitted = (context: AuthContext, access: SftpAccess): boolean => {
  if (context.username !== access.username) return false
  if (context.method === 'password') return access.password !== undefined && context.password === access.password
  if (context.method !== 'publickey' || !access.publicKey) return false
  const known = utils.parseKey(access.publicKey)
  if (known instanceof Error || Array.isArray(known) || !context.key.data.equals(known.getPublicSSH())) return false
  return !context.signature || !context.blob || known.verify(context.blob, context.signature, context.hashAlgo) === true
}

const newKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

/** What is shown of the key of a server, in whatever form it is kept. */
export const shownKey = (key: string): string => {
  const parsed = utils.parseKey(key)
  if (parsed instanceof Error || Array.isArray(parsed)) throw new Error('no key')
  return fingerprintOf(parsed.getPublicSSH())
}

/** An SFTP server inside this process, with a host key of its own. */
export const startSftpStandIn = async (root: string, access: SftpAccess): Promise<SftpStandIn> => {
  let cut = false
  const key = newKey()
  const passwords: string[] = []
  const connections = new Set<Connection>()
  const server = new Server({ hostKeys: [key] }, (connection) => {
    connections.add(connection)
    ;(connection as NoDelay).setNoDelay(true)
    const onRead = (): boolean => {
      if (!cut) return false
      cut = false
      connection.end()
      return true
    }
    connection.on('error', () => undefined)
    connection.on('close', () => connections.delete(connection))
    connection.on('authentication', (context) => {
      if (context.method === 'password') passwords.push(context.password)
      return isAdmitted(context, access) ? context.accept() : context.reject(['password', 'publickey'])
    })
    connection.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => serveFolder(acceptSftp(), root, { onRead, dates: access.dates ?? false }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: shownKey(key),
    passwords,
    cutNext: () => {
      cut = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const connection of connections) connection.end()
      }),
  }
}
