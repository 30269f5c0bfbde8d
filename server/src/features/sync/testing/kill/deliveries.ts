import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FileSettings } from '@instep/connectors/file/delivery-settings.ts'
import { startSftpStandIn } from '@instep/connectors/file/testing/sftp-stand-in.ts'

/** What a process needs to fetch the file. */
export interface DeliverySettings {
  readonly settings: FileSettings
  readonly folderRoot: string
  /** The SFTP server's key; each server of a test has another. */
  readonly hostKey?: string
}

/** A place that a source fetches its file from. */
export interface Delivery extends DeliverySettings {
  /** Lays the file there as at an instant, in milliseconds. */
  put(text: string, at: number): void
  /** How the place looks once everything was fetched: how many files lie there and how many were put aside. */
  look(): { readonly lying: number; readonly archived: number }
  close(): Promise<void>
}

export const DELIVERIES = ['folder', 'https', 'sftp'] as const

const FILE = 'people.csv'

const count = (folder: string): number => readdirSync(folder).filter((name) => name.endsWith('.csv')).length

const watchedFolder = (): Delivery => {
  const folderRoot = mkdtempSync(path.join(tmpdir(), 'instep-delivery-'))
  const [folder, archive] = [path.join(folderRoot, 'hr'), path.join(folderRoot, 'hr', 'archive')]
  mkdirSync(archive, { recursive: true })
  return {
    settings: { properties: { delivery: 'folder', folder: 'hr' }, secrets: {} },
    folderRoot,
    put: (text, at) => {
      writeFileSync(path.join(folder, FILE), text)
      utimesSync(path.join(folder, FILE), new Date(at), new Date(at))
    },
    look: () => ({ lying: count(folder), archived: count(archive) }),
    close: async () => rmSync(folderRoot, { recursive: true, force: true }),
  }
}

const sftpServer = async (): Promise<Delivery> => {
  const folder = watchedFolder()
  const [username, password] = ['hr', 'for this test']
  const server = await startSftpStandIn(folder.folderRoot, { username, password })
  return {
    ...folder,
    settings: {
      properties: { delivery: 'sftp', host: '127.0.0.1', port: server.port, username, signIn: 'password', folder: '/hr' },
      secrets: { password },
    },
    hostKey: server.hostKey,
    close: async () => {
      await server.close()
      await folder.close()
    },
  }
}

/** Puts nothing aside: what it holds was fetched once when it answers that nothing is new. */
const webServer = async (): Promise<Delivery> => {
  let file: { readonly text: string; readonly at: number } | undefined
  const server = createServer((request, answer) => {
    const etag = `"${file?.at}"`
    if (!file) answer.writeHead(404).end()
    else if (request.headers['if-none-match'] === etag) answer.writeHead(304).end()
    else answer.writeHead(200, { etag, 'last-modified': new Date(file.at).toUTCString(), 'content-type': 'text/csv' }).end(file.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { properties: { delivery: 'https', address: `http://127.0.0.1:${port}/${FILE}` }, secrets: {} },
    folderRoot: tmpdir(),
    put: (text, at) => {
      file = { text, at }
    },
    look: () => ({ lying: 0, archived: 1 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A folder on this machine, an SFTP server, or a web server, with nothing to fetch yet. */
export const openDelivery = async (way: (typeof DELIVERIES)[number]): Promise<Delivery> => {
  if (way === 'folder') return watchedFolder()
  return way === 'sftp' ? sftpServer() : webServer()
}
