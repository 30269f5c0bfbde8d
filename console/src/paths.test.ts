import { expect, test } from 'vitest'
import { paths } from './paths.ts'

test.each([
  [paths.dashboard(), '/'],
  [paths.dashboard('s1'), '/sites/s1'],
  [paths.people(), '/users'],
  [paths.people({ status: 'all' }), '/users'],
  [paths.people({ status: 'claimed' }), '/users?status=claimed'],
  [paths.people({ siteId: 's1', userId: 'u1', connectorId: 'c1' }), '/sites/s1/users?userId=u1&connectorId=c1'],
  [paths.people({ siteGroupId: 'g1' }), '/users?siteGroupId=g1'],
  [paths.people({ siteId: '../x', search: 'a b&c' }), '/sites/..%2Fx/users?search=a+b%26c'],
  [paths.sites(), '/sites-and-groups'],
  [paths.sites({ tab: 'groups', open: 'g1' }), '/sites-and-groups?tab=groups&open=g1'],
  [paths.settings(), '/settings'],
  [paths.settings('s1', 'lookups'), '/sites/s1/settings?tab=lookups'],
  [paths.overrides('s1'), '/sites/s1/overrides'],
  [paths.importFile('c/1'), '/connectors/c%2F1/import'],
  [paths.logs('abc'), '/logs?correlationId=abc'],
  [paths.personLog('c1', 'u1'), '/logs?userId=u1&connectorId=c1'],
])('%s', (built, expected) => {
  expect(built).toBe(expected)
})
