import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createSocketDirectory, socketDirectoryOf } from './socket-directory.ts'

const dataDir = `/srv/${'long/'.repeat(40)}${process.pid}`
const dir = socketDirectoryOf(dataDir)
const isRoot = process.getuid?.() === 0
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('createSocketDirectory', () => {
  it('refuses a directory that others may write to', () => {
    mkdirSync(dir)
    chmodSync(dir, 0o777)
    expect(() => createSocketDirectory(dataDir, undefined)).toThrow('Others may write to')
  })

  it('refuses a link that somebody placed there', () => {
    symlinkSync('/tmp', dir)
    expect(() => createSocketDirectory(dataDir, undefined)).toThrow('it is not a directory')
  })

  it.runIf(isRoot)('refuses a directory that somebody else made', () => {
    mkdirSync(dir)
    chownSync(dir, 65_534, 65_534)
    expect(() => createSocketDirectory(dataDir, { uid: 61_234, gid: 61_234 })).toThrow('belongs to user 65534')
  })

  it('is short however long the data directory is, and open to the database only', () => {
    expect(createSocketDirectory(dataDir, undefined)).toBe(dir)
    expect(`${dir}/.s.PGSQL.5432`.length).toBeLessThan(100)
    expect(lstatSync(dir).mode & 0o777).toBe(0o700)
    expect(createSocketDirectory(dataDir, undefined)).toBe(dir)
  })

  it('is the same for the same data, and another for other data', () => {
    expect(socketDirectoryOf('/srv/a')).toBe(socketDirectoryOf('/srv/a'))
    expect(socketDirectoryOf('/srv/a')).not.toBe(socketDirectoryOf('/srv/b'))
  })
})
