import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { FetchingSource } from '../kit/fetching-source.ts'
import { createFolderSource } from './folder-source.ts'
import { createSftpSource } from './sftp-source.ts'
import { filesIn } from './testing/held-file.ts'
import { startSftpStandIn } from './testing/sftp-stand-in.ts'

/** So many moments are tried; at the last one everything is put aside before. */
const MOMENTS = 24
const signal = new AbortController().signal
const waiting = { pause: async () => {}, stableSeconds: 1 }

interface Started {
  readonly source: FetchingSource
  readonly close?: () => Promise<void>
}

const folders: Readonly<Record<string, (root: string) => Promise<Started>>> = {
  'a folder': async (root) => {
    const settings = { properties: { delivery: 'folder', folder: 'out' }, secrets: {} }
    return { source: createFolderSource(settings, { root, ...waiting }) }
  },
  'a folder over SFTP': (root) => overSftp(root, false),
  'a folder over SFTP that dates anew what it moves': (root) => overSftp(root, true),
}

const overSftp = async (root: string, dates: boolean): Promise<Started> => {
  const server = await startSftpStandIn(root, { username: 'hr', password: 'right', dates })
  const place = { delivery: 'sftp', host: '127.0.0.1', port: server.port, username: 'hr', folder: '/out' }
  const options = { allowPrivate: true, hostKey: server.hostKey, timeoutMilliseconds: 5000, ...waiting }
  return { source: createSftpSource({ properties: place, secrets: { password: 'right' } }, options), close: server.close }
}

describe.each(Object.entries(folders))('putting a file of %s aside', (_, start) => {
  it('never takes one away that came in its place, at whatever moment it came', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'instep-aside-'))
    const out = path.join(root, 'out')
    mkdirSync(out)
    const { source, close } = await start(root)
    const put = filesIn(out)
    const fetched = path.join(root, 'fetched')
    const fetch = async (watermark: object | null) => {
      rmSync(fetched, { force: true })
      const found = await source.fetch({ path: fetched, watermark: watermark as null, limit: 1000, now: new Date(), signal })
      return found && { watermark: found.watermark, content: readFileSync(fetched, 'utf8') }
    }
    let archived = 0
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      put(`id\nread ${moment}\n`)
      const first = await fetch(null)
      const settled = source.settle?.({ watermark: first?.watermark ?? null }, signal)
      if (moment === MOMENTS - 1) await settled
      for (let waits = 0; waits < moment ** 2; waits += 1) await setImmediate()
      const newer = moment % 2 === 0 ? `id\nunread ${moment}\n` : `id\nREAD ${moment}\n`
      writeFileSync(path.join(out, 'people.csv'), newer)
      await settled
      expect((await fetch((first?.watermark ?? null) as object))?.content, `at moment ${moment}`).toBe(newer)
      const aside = path.join(out, 'archive')
      for (const name of existsSync(aside) ? readdirSync(aside) : []) {
        archived += 1
        expect(readFileSync(path.join(aside, name), 'utf8')).toMatch(/^id\nread/)
      }
      rmSync(aside, { recursive: true, force: true })
    }
    expect(archived).toBeGreaterThan(0)
    await source.close()
    await close?.()
    rmSync(root, { recursive: true, force: true })
  })
})
