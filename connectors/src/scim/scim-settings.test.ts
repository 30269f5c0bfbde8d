import { DIALECTS } from '@instep/contract/scim-dialects.ts'
import { describe, expect, it } from 'vitest'
import { guardedSourceLookup } from '../kit/source-address.ts'
import { scimDefinition } from './scim-definition.ts'
import { PROFILE_SETTINGS, readScimSettings } from './scim-settings.ts'

const read = (properties: Record<string, unknown>, token = 'secret') => readScimSettings(properties, { token })
const https = { baseUrl: 'https://workplace.example.com/scim/v2/' }

describe('readScimSettings refuses', () => {
  it.each([
    [{}, 'baseUrl'],
    [{ baseUrl: 'workplace' }, 'baseUrl'],
    [{ baseUrl: 'ftp://workplace.example.com' }, 'baseUrl'],
    [{ ...https, updateMethod: 'POST' }, 'updateMethod'],
    [{ ...https, matchBy: 'name' }, 'matchBy'],
    [{ ...https, userNameField: 'title' }, 'userNameField'],
    [{ ...https, profile: 'sap' }, 'profile'],
    [{ ...https, beforeCreate: 'ask' }, 'beforeCreate'],
    [{ ...https, authentication: 'none' }, 'authentication'],
    [{ ...https, authentication: 'basic' }, 'userName'],
    [{ ...https, authentication: 'basic', userName: 'a:b' }, 'userName'],
    [{ ...https, authentication: 'basic', userName: 'ana' }, 'password'],
    [{ ...https, authentication: 'oauth' }, 'clientId'],
    [{ ...https, authentication: 'oauth', clientId: 'c' }, 'clientSecret'],
  ])('%j', (properties, property) => {
    expect(() => read(properties)).toThrow(expect.objectContaining({ code: 'TARGET_SETTINGS_INVALID', params: { property } }))
  })

  it.each(['', ' ', 'a b', 'a\r\nx: y', 'é'])('the token %j', (token) => {
    expect(() => read(https, token)).toThrow(expect.objectContaining({ code: 'TARGET_SETTINGS_INVALID', params: { property: 'token' } }))
  })

  it.each([
    ['http://workplace.example.com', 'http'],
    ['http://10.0.0.5', 'http'],
    ['http://localhost.example.com', 'http'],
    ['https://user:pass@workplace.example.com', 'credentials'],
    ['https://169.254.169.254/latest', 'linkLocal'],
    ['https://168.63.129.16/', 'linkLocal'],
    ['https://192.0.0.192/', 'linkLocal'],
    ['http://0xA9FEA9FE/', 'linkLocal'],
    ['http://2852039166/', 'linkLocal'],
    ['https://[fe80::1]/', 'linkLocal'],
    ['https://[::ffff:169.254.169.254]/', 'linkLocal'],
    ['https://[fd00:ec2::254]/', 'linkLocal'],
    ['http://0.0.0.0:8080/', 'linkLocal'],
  ])('the address %s', (baseUrl, reason) => {
    expect(() => read({ baseUrl })).toThrow(
      expect.objectContaining({ code: 'TARGET_ADDRESS_REFUSED', params: expect.objectContaining({ reason }) }),
    )
  })

  it('link-local addresses even where plain http is allowed', () => {
    expect(() => read({ baseUrl: 'http://169.254.1.1', allowHttp: true })).toThrow(
      expect.objectContaining({ code: 'TARGET_ADDRESS_REFUSED' }),
    )
  })
})

describe('readScimSettings accepts', () => {
  it('an address alone, with the defaults that the definition tells', () => {
    const settings = read(https)
    expect(settings).toMatchObject({ origin: 'https://workplace.example.com', basePath: '/scim/v2' })
    expect(scimDefinition.propertiesSchema.properties.profile?.default).toBe(settings.dialect.id)
    for (const name of Object.keys(PROFILE_SETTINGS) as (keyof typeof PROFILE_SETTINGS)[]) {
      expect(scimDefinition.propertiesSchema.properties[name]?.default).toBe('profile')
      expect(settings[name]).toBe(DIALECTS.generic.settings[name])
    }
  })

  it('a profile, and what is set instead of it', () => {
    expect(read({ ...https, profile: 'zoom' })).toMatchObject({ updateMethod: 'PUT', switching: 'patch' })
    expect(read({ ...https, profile: 'zoom', updateMethod: 'PATCH' })).toMatchObject({ updateMethod: 'PATCH', switching: 'patch' })
    expect(read({ ...https, profile: 'zoom', updateMethod: 'profile' }).updateMethod).toBe('PUT')
  })

  it('basic credentials, and keeps them among what is never told', () => {
    const settings = readScimSettings({ ...https, authentication: 'basic', userName: 'ana' }, { password: 'sé:cret' })
    expect(settings.authentication).toEqual({ kind: 'fixed', authorization: `Basic ${Buffer.from('ana:sé:cret').toString('base64')}` })
    expect(settings.secrets).toEqual([Buffer.from('ana:sé:cret').toString('base64'), 'sé:cret'])
  })

  it('no token address that it would not ask', () => {
    const client = { ...https, authentication: 'oauth', clientId: 'c' }
    expect(() => readScimSettings({ ...client, tokenUrl: 'https://169.254.169.254/token' }, { clientSecret: 's' })).toThrow(
      expect.objectContaining({ code: 'TARGET_ADDRESS_REFUSED', params: expect.objectContaining({ property: 'tokenUrl' }) }),
    )
  })

  it.each(['http://127.0.0.1:8081', 'http://localhost:8081', 'http://[::1]:8081'])('%s', (baseUrl) => {
    expect(read({ baseUrl }).origin).toBe(baseUrl)
  })

  it('plain http inside the own network when it is allowed', () => {
    expect(read({ baseUrl: 'http://10.0.0.5/scim', allowHttp: true }).origin).toBe('http://10.0.0.5')
  })
})

describe('the look-up of names', () => {
  const guardedLookup = guardedSourceLookup({ allowPrivate: true })
  const find = (host: string) =>
    new Promise((resolve) => guardedLookup(host, { all: false }, (error, address) => resolve(error ? error.code : address)))

  it('refuses a name that leads to a refused address', async () => {
    expect(await find('169.254.169.254')).toBe('ERR_ADDRESS_REFUSED')
  })

  it('answers any other', async () => {
    expect(await find('127.0.0.1')).toBe('127.0.0.1')
  })
})
