import type { Role } from '@instep/contract/roles.ts'
import { expect, test } from 'vitest'
import { navigationFor } from './navigation.ts'

const TENANT = ['dashboard', 'people', 'connectors', 'runs', 'logs']
const PEOPLE = ['dashboard', 'people']

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
