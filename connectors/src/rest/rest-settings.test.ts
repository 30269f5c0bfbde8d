import { describe, expect, it } from 'vitest'
import { TEST_CERTIFICATE } from '../kit/testing/test-certificate.ts'
import { restDefinition } from './rest-definition.ts'
import { readRestSettings } from './rest-settings.ts'

const url = 'https://hr.example.com/people'
const read = (properties: Record<string, unknown>, secrets: Record<string, string> = {}) => readRestSettings({ properties, secrets })

describe('the settings of a REST source are refused', () => {
  it.each([
    [{}, 'url'],
    [{ url: 'hr' }, 'url'],
    [{ url: 'ftp://hr.example.com' }, 'url'],
    [{ url, recordsPath: '$..people' }, 'recordsPath'],
    [{ url, authentication: 'ntlm' }, 'authentication'],
    [{ url, authentication: 'basic' }, 'userName'],
    [{ url, authentication: 'basic', userName: 'a:b' }, 'userName'],
    [{ url, authentication: 'bearer' }, 'bearerToken'],
    [{ url, authentication: 'apiKey' }, 'apiKey'],
    [{ url, authentication: 'oauth' }, 'clientId'],
    [{ url, authentication: 'oauth', clientId: 'c' }, 'tokenUrl'],
    [{ url, authentication: 'oauth', clientId: 'c', tokenUrl: 'https://id.example.com' }, 'clientSecret'],
    [{ url, paging: 'cursor' }, 'nextPath'],
    [{ url, pageSize: 0 }, 'pageSize'],
    [{ url, fullEveryDays: 1.5 }, 'fullEveryDays'],
    [{ url, certificateAuthority: 'none' }, 'certificateAuthority'],
  ])('%j', (properties, property) => {
    expect(() => read(properties)).toThrow(expect.objectContaining({ code: 'SOURCE_SETTINGS_INVALID', params: { property } }))
  })

  it.each(['a b', 'a\r\nx: y', 'é'])('with the token %j, which no header can hold', (bearerToken) => {
    expect(() => read({ url, authentication: 'bearer' }, { bearerToken })).toThrow(
      expect.objectContaining({ params: { property: 'bearerToken' } }),
    )
  })

  it.each([
    [{ url: 'http://hr.example.com' }, 'url', 'http'],
    [{ url: 'https://user:pw@hr.example.com' }, 'url', 'credentials'],
    [{ url: 'https://169.254.169.254/' }, 'url', 'linkLocal'],
    [{ url, authentication: 'oauth', clientId: 'c', tokenUrl: 'http://id.example.com' }, 'tokenUrl', 'http'],
  ])('for the address in %j', (properties, property, reason) => {
    expect(() => read(properties)).toThrow(
      expect.objectContaining({ code: 'SOURCE_ADDRESS_REFUSED', params: expect.objectContaining({ property, reason }) }),
    )
  })
})

describe('the settings of a REST source', () => {
  it('need an address alone, with the defaults that the definition tells', () => {
    const { paging, changes, authentication } = read({ url })
    const { properties } = restDefinition.propertiesSchema
    expect([paging.kind, changes.format, authentication.kind]).toEqual([
      properties['paging']?.default,
      properties['changedFormat']?.default,
      properties['authentication']?.default,
    ])
    expect([paging.first, paging.size, paging.mostPages]).toEqual(
      ['firstPage', 'pageSize', 'mostPages'].map((name) => properties[name]?.default),
    )
  })

  it('take an authority whose line breaks were lost', () => {
    const [authority] = read({ url, certificateAuthority: TEST_CERTIFICATE.replace(/\n/g, ' ') }).authorities ?? []
    expect(authority).toBe(TEST_CERTIFICATE)
  })
})
