import type { Role } from '@instep/contract/roles.ts'
import { expect, test } from 'vitest'
import { hrefOf, isAtSite, itemAt, navigationFor } from './navigation.ts'

const TENANT = ['dashboard', 'people', 'overrides', 'sites', 'connectors', 'runs', 'cases', 'tasks', 'messages', 'logs', 'settings']
const PEOPLE = ['dashboard', 'people', 'overrides', 'sites', 'tasks', 'logs', 'settings']

test.each<[Role[], string[]]>([
  [[], []],
  [['admin.gdpr'], []],
  [['admin.site'], PEOPLE],
  [['admin.sitegroup'], PEOPLE],
  [['admin.gdpr', 'admin.site'], PEOPLE],
  [['admin.tenant'], TENANT],
  [['admin.super'], TENANT],
  [['admin.gdpr', 'admin.tenant'], TENANT],
])('the roles %j find %j in the navigation', (roles, keys) => {
  expect(navigationFor(roles).map((item) => item.key)).toEqual(keys)
})

test.each([
  ['/', 'dashboard'],
  ['/sites/s1', 'dashboard'],
  ['/sites/s1/', 'dashboard'],
  ['/users', 'people'],
  ['/sites/s1/users', 'people'],
  ['/overrides', 'overrides'],
  ['/sites/s1/settings', 'settings'],
  ['/sites-and-groups', 'sites'],
  ['/connectors/c1/import', 'connectors'],
  ['/runs', 'runs'],
  ['/sites/s1/tasks', 'tasks'],
  ['/nowhere', undefined],
  ['/sites/s1/connectors', undefined],
])('%s belongs to %s', (pathname, key) => {
  expect(itemAt(pathname)).toBe(key)
})

test('pages that are of a site keep the site that is picked', () => {
  expect(hrefOf('settings', 's1')).toBe('/sites/s1/settings')
  expect(hrefOf('overrides', 's1')).toBe('/sites/s1/overrides')
  expect(hrefOf('tasks', 's1')).toBe('/sites/s1/tasks')
  expect(hrefOf('sites', 's1')).toBe('/sites-and-groups')
  expect(hrefOf('people', null)).toBe('/users')
})

test.each(['/', '/users', '/tasks', '/settings', '/overrides', '/sites/7', '/sites/7/users', '/sites/7/tasks', '/sites/7/overrides'])(
  'the address %s is of one site, or of all of them',
  (pathname) => {
    expect(isAtSite(pathname)).toBe(true)
  },
)

test.each(['/runs', '/runs/7', '/sites-and-groups', '/logs', '/connectors/7', '/nowhere'])(
  'the address %s is of the whole tenant',
  (pathname) => {
    expect(isAtSite(pathname)).toBe(false)
  },
)
