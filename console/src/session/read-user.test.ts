import { describe, expect, it } from 'vitest'
import { readUser } from './read-user.ts'
import { identityConfig } from './testing/fake-provider.ts'

describe('the person in an id_token', () => {
  it('is read by path and translated where the provider has its own names', () => {
    const claims = { sub: 'x', preferred_username: 'amara', 'https://a.b/roles': ['Admins', 'Others'] }
    const identity = identityConfig({ rolePath: ['https://a.b/roles'], roleMap: { Admins: 'admin.tenant' } })
    expect(readUser(claims, identity)).toEqual({ sub: 'x', name: 'amara', email: '', roles: ['admin.tenant'] })
  })

  it('may have one role as text, or none', () => {
    expect(readUser({ sub: 'x', role: 'admin.site' }, identityConfig()).roles).toEqual(['admin.site'])
    expect(readUser({ sub: 'x' }, identityConfig()).roles).toEqual([])
  })
})
