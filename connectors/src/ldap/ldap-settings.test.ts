import { describe, expect, it } from 'vitest'
import { readLdapSettings } from './ldap-settings.ts'

const given = { server: 'ldaps://dc1.example.com', baseDn: 'dc=example,dc=com' }
const read = (properties: Record<string, unknown>, secrets: Record<string, string> = {}) => readLdapSettings({ properties, secrets })

describe('the settings of an LDAP source are refused', () => {
  it.each([
    [{ baseDn: 'dc=x' }, 'server'],
    [{ ...given, server: 'dc1.example.com' }, 'server'],
    [{ ...given, server: 'https://dc1.example.com' }, 'server'],
    [{ ...given, server: 'ldaps://dc1.example.com/dc=x' }, 'server'],
    [{ server: given.server }, 'baseDn'],
    [{ ...given, bindDn: 'cn=reader' }, 'password'],
    [{ ...given, filter: '(uid=a' }, 'filter'],
    [{ ...given, attributes: 'mail, 1a' }, 'attributes'],
    [{ ...given, managerAttribute: 'mail,uid' }, 'managerAttribute'],
    [{ ...given, searchScope: 'all' }, 'searchScope'],
    [{ ...given, changeAttribute: 'pwdLastSet' }, 'changeAttribute'],
    [{ ...given, resultsPerPage: 1001 }, 'resultsPerPage'],
  ])('%j', (properties, property) => {
    expect(() => read(properties)).toThrow(expect.objectContaining({ code: 'SOURCE_SETTINGS_INVALID', params: { property } }))
  })

  it.each([
    ['ldaps://reader:pw@dc1.example.com', 'credentials'],
    ['ldap://169.254.169.254', 'linkLocal'],
    ['ldap://[fe80::1]:389', 'linkLocal'],
  ])('with the address %s', (server, reason) => {
    expect(() => read({ ...given, server })).toThrow(
      expect.objectContaining({ code: 'SOURCE_ADDRESS_REFUSED', params: expect.objectContaining({ reason }) }),
    )
  })
})

describe('the settings of an LDAP source', () => {
  it.each([
    ['ldaps://dc1.example.com', false, { host: 'dc1.example.com', port: 636, encryption: 'tls' }],
    ['ldaps://dc1.example.com:3269/', true, { host: 'dc1.example.com', port: 3269, encryption: 'tls' }],
    ['ldap://dc1.example.com', false, { host: 'dc1.example.com', port: 389, encryption: 'startTls' }],
    ['ldap://[::1]:80', true, { host: '::1', port: 80, encryption: 'none' }],
  ])('lead to %s (plain allowed: %s)', (server, allowPlain, expected) => {
    expect(read({ ...given, server, allowPlain })).toMatchObject(expected)
  })

  it('ask for people of the kind of directory, each attribute once and never for the name twice', () => {
    expect(read(given).filterText).toBe('(&(objectCategory=person)(objectClass=user))')
    expect(read({ ...given, directory: 'openLdap' }).filterText).toBe('(objectClass=inetOrgPerson)')
    expect(read({ ...given, attributes: 'mail; Mail DN, 2.5.4.4' }).attributes).toEqual(['mail', '2.5.4.4'])
    expect(read({ ...given, attributes: 'uid', managerAttribute: 'mail' }).attributes).toEqual(['uid', 'manager'])
    expect(read(given).credentials).toBeUndefined()
  })
})
