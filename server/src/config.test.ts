import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const production = {
  DATABASE_URL: 'postgres://db/instep',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  PUBLIC_URL: 'https://instep.example',
  IDENTITY_FLOW: 'code',
}

describe('a setting that cannot be', () => {
  it.each([
    [{ PORT: 'eighty' }, 'PORT takes a whole number.'],
    [{ PORT: '70000' }, 'PORT takes a number from 0 to 65535.'],
    [{ PUBLIC_URL: 'instep.example' }, 'PUBLIC_URL takes an address that starts with http:// or https://.'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL takes an address that starts with postgres://.'],
    [{ SANDBOX: 'yes' }, 'SANDBOX takes on or off.'],
    [{ IDENTITY_FLOW: 'password' }, 'IDENTITY_FLOW takes implicit or code.'],
    [{ SERVICE_BASES: '{' }, 'SERVICE_BASES takes JSON.'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY takes at least 32 random bytes as base64.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL takes fatal, error, warn, info, debug or silent.'],
  ])('is refused in one line that names it: %o', (environment, line) => {
    expect(() => readConfig(environment)).toThrow(new ConfigError(line))
  })

  it.each(['SECRET_KEY', 'PUBLIC_URL', 'IDENTITY_FLOW'] as const)('is a missing %s where DATABASE_URL is given', (name) => {
    const { [name]: _, ...rest } = production
    expect(() => readConfig(rest)).toThrow(new RegExp(`^${name} `))
  })
})

describe('settings', () => {
  it('stand for the sandbox when nothing is given', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      PUBLIC_URL: 'http://localhost:8080',
      DATA_DIR: '.instep',
      SANDBOX: true,
      IDENTITY_FLOW: 'implicit',
      IDENTITY_SILENT_RENEW: false,
      LOG_LEVEL: 'warn',
    })
  })

  it('switch the sandbox off by themselves in production, where an empty value counts as none', () => {
    expect(readConfig({ ...production, PORT: '', SANDBOX: '' })).toMatchObject({ SANDBOX: false, LOG_LEVEL: 'info', PORT: 8080 })
  })

  it('take an external provider with what differs from ours', () => {
    const IDENTITY_EXTERNAL = JSON.stringify({ issuer: 'https://login.example', clientId: 'c', audiences: ['api'], scopeClaim: 'scp' })
    expect(readConfig({ ...production, IDENTITY_EXTERNAL }).IDENTITY_EXTERNAL).toMatchObject({
      scopeClaim: 'scp',
      subjectClaim: 'sub',
      algorithms: ['RS256'],
    })
  })
})
