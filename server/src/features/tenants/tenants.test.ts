import * as contract from '@instep/contract/tenants.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

describe('one’s own profile', () => {
  it('is refused without a session', async () => {
    const response = await fetch(`${app.url}/v1/me`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'SESSION_EXPIRED' })
  })

  it('says who is signed in, whatever the role', async () => {
    const { status, body } = await app.call('gdpr', contract.getMe)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: app.adminIds.gdpr,
      name: 'Gwen Data',
      email: 'gdpr@test.example',
      roles: ['admin.gdpr'],
      permissions: 1023,
      tenantId: app.world.one.id,
    })
    expect((await app.call('super', contract.getMe)).body).toMatchObject({ tenantId: null })
  })
})

describe('tenants', () => {
  it('of others are not listed below super admin', async () => {
    for (const admin of ['tenant', 'siteGroup', 'site', 'gdpr'] as const) {
      const { body } = await app.call(admin, contract.listTenants)
      expect(body.data.map(({ name }) => name)).toEqual(['One'])
    }
  })

  it('are all listed for a super admin, by name', async () => {
    const { body } = await app.call('super', contract.listTenants)
    expect(body.data.map(({ name }) => name)).toEqual(['One', 'Two'])
  })

  it('of others look like none', async () => {
    for (const id of [app.world.two.id, uuidv7(), 'no-id']) {
      const { status, body } = await app.call('tenant', contract.getTenant, { params: { id } })
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await app.call('super', contract.getTenant, { params: { id: uuidv7() } })).status).toBe(404)
  })

  it('are shown whole', async () => {
    const { status, body } = await app.call('super', contract.getTenant, { params: { id: app.world.two.id } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Two', status: 'active', features: { sso: false, shifts: false }, defaultLocale: 'en_GB' })
  })
})
