import { describe, expect, test } from 'vitest'
import { matchRoute } from './match-route.ts'

const ROUTES = ['/', '/users', '/sites/$siteId', '/sites/$siteId/users', '/connectors/$connectorId/users/$userId/sync'].map((path) => ({
  path,
}))

describe('an address', () => {
  test.each(['/nothing', '/users/1', '/sites', '/sites//users/x', '/sites/a/b', '/sites/%E0%A4%A', '/users%2F1'])(
    'that no page has, %s, leads nowhere',
    (address) => {
      expect(matchRoute(ROUTES, address)).toBeNull()
    },
  )

  test.each([
    ['/', '/', {}],
    ['', '/', {}],
    ['/users', '/users', {}],
    ['/Users/', '/users', {}],
    ['/sites/7', '/sites/$siteId', { siteId: '7' }],
    ['/sites/A%2Fb/users', '/sites/$siteId/users', { siteId: 'A/b' }],
    ['/connectors/1/users/2/sync', '/connectors/$connectorId/users/$userId/sync', { connectorId: '1', userId: '2' }],
  ])('%s leads to %s', (address, path, params) => {
    expect(matchRoute(ROUTES, address)).toEqual({ route: { path }, params })
  })
})
