import { updateConnector } from '@instep/contract/connectors.ts'
import { getSite, listSites, updateSite, updateSiteGroup } from '@instep/contract/sites.ts'
import { updateUser } from '@instep/contract/user-edits.ts'
import { listUsers, searchUsers } from '@instep/contract/users.ts'
import { afterEach, expect, test, vi } from 'vitest'
import british from '../locales/en_GB/shell.json' with { type: 'json' }
import { createApi } from './create-api.ts'
import { missingIdOf } from './missing-ids.ts'

const CHECKS = [
  [updateSiteGroup, 'id', 'Site group id must be specified'],
  [getSite, 'id', 'Site id must be specified'],
  [updateSite, 'id', 'Site id must be specified'],
  [updateUser, 'id', 'User id must be specified'],
  [listUsers, 'connectorId', 'ConnectorId must be specified'],
  [searchUsers, 'connectorId', 'ConnectorId must be specified'],
  [updateConnector, 'id', 'Connector id must be specified'],
] as const

afterEach(() => void vi.unstubAllGlobals())

test.each(CHECKS)('a call is refused in the documented words while its id is missing: %#', (endpoint, param, words) => {
  for (const params of [undefined, {}, { [param]: '' }, { [param]: '  ' }, { [param]: null }]) {
    const code = missingIdOf(endpoint, params)
    expect(code && british.problem[code]).toBe(words)
  }
})

test('nothing is sent while an id is missing', async () => {
  const fetch = vi.fn()
  vi.stubGlobal('fetch', fetch)
  const api = createApi({
    baseUrl: 'https://service.test/v1',
    accessToken: () => 'token',
    language: () => 'fr-FR',
    onExpired: () => undefined,
  })
  await expect(api.call(getSite, { params: { tenantId: 'one', id: '' } })).rejects.toMatchObject({ code: 'SITE_ID_MISSING', status: 0 })
  expect(fetch).not.toHaveBeenCalled()
})

test('a call with its id, and one that needs none, may be sent', () => {
  for (const [endpoint, param] of CHECKS) expect(missingIdOf(endpoint, { [param]: 'one' })).toBeNull()
  expect(missingIdOf(listSites, {})).toBeNull()
})
