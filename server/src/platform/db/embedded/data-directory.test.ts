import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertMajor, majorOf, settleDataDirectory } from './data-directory.ts'

const isRoot = process.getuid?.() === 0
let base = ''
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'instep-data-')))
  chmodSync(base, 0o711)
})
afterEach(() => rmSync(base, { recursive: true }))

describe('assertMajor', () => {
  it.each(['17', '19', '9.6'])('refuses data of PostgreSQL %s, and says how to bring them over', (version) => {
    writeFileSync(join(base, 'PG_VERSION'), `${version}\n`)
    expect(() => assertMajor(base)).toThrow(`written by PostgreSQL ${Number.parseInt(version, 10)}; the embedded database is PostgreSQL 18`)
    expect(() => assertMajor(base)).toThrow('DATABASE_URL')
  })

  it('accepts its own', () => {
    writeFileSync(join(base, 'PG_VERSION'), '18\n')
    assertMajor(base)
    expect(majorOf(join(base, 'absent'))).toBeNull()
  })
})

describe('settleDataDirectory', () => {
  it('refuses a link whose data are gone, rather than start empty', () => {
    symlinkSync(join(base, 'gone'), join(base, 'data'))
    expect(() => settleDataDirectory(join(base, 'data'), join(base, 'root'))).toThrow('remove the link to start with an empty database')
  })

  it('refuses a place where no directory can be made, and names the setting', () => {
    expect(() => settleDataDirectory('/proc/instep/data', join(base, 'root'))).toThrow(/\/proc\/instep cannot be made .*DATA_DIR/)
  })

  it.runIf(isRoot)('refuses existing data that the database’s user cannot reach', () => {
    mkdirSync(join(base, 'home', 'data'), { recursive: true })
    chmodSync(join(base, 'home'), 0o700)
    expect(() => settleDataDirectory(join(base, 'home', 'data'), join(base, 'root'))).toThrow('cannot be reached')
  })

  it('uses the path asked for, below directories that the database’s user may enter whatever the umask', () => {
    const before = process.umask(0o077)
    try {
      const asked = join(base, 'a', 'b', 'data')
      expect(settleDataDirectory(asked, join(base, 'root'))).toBe(asked)
      expect(lstatSync(join(base, 'a', 'b')).mode & 0o111).toBe(0o111)
      expect(existsSync(join(base, 'root'))).toBe(false)
    } finally {
      process.umask(before)
    }
  })

  it('knows the same data under every name', () => {
    mkdirSync(join(base, 'true'))
    symlinkSync(join(base, 'true'), join(base, 'other'))
    const name = settleDataDirectory(join(base, 'true', 'data'), join(base, 'root'))
    expect(settleDataDirectory(join(base, 'other', 'data'), join(base, 'root'))).toBe(name)
  })

  it.runIf(isRoot)('keeps root’s data elsewhere when only root could reach them, and finds them again', () => {
    const asked = join(base, 'home', 'data')
    mkdirSync(join(base, 'home'))
    chmodSync(join(base, 'home'), 0o700)
    const data = settleDataDirectory(asked, join(base, 'root'))
    expect(data.startsWith(join(base, 'root', 'data-'))).toBe(true)
    expect(readlinkSync(asked)).toBe(data)
    expect(settleDataDirectory(asked, join(base, 'root'))).toBe(data)
  })
})
