import { expect, test } from 'vitest'
import { tabKeyOf, withClosed, withOpened, withTitle } from './opened-tabs.ts'

const HOME = { key: 'mesh', href: '/', title: null }
const PEOPLE = { key: 'users', href: '/users', title: null }
const LOGS = { key: 'logs', href: '/logs', title: null }

test.each([
  ['/', 'mesh'],
  ['/users', 'users'],
  ['/users/', 'users'],
  ['/sites/s1/users', 'sites/s1/users'],
])('the page %s has the tab %s', (pathname, key) => {
  expect(tabKeyOf(pathname)).toBe(key)
})

test('opening an opened page changes nothing', () => {
  const tabs = [HOME, PEOPLE]
  expect(withOpened(tabs, '/users', '/users')).toBe(tabs)
})

test('another filter of an opened page stays in its tab', () => {
  expect(withOpened([HOME, PEOPLE], '/users', '/users?status=claimed')).toEqual([HOME, { ...PEOPLE, href: '/users?status=claimed' }])
})

test('a page opened first gets a tab at the end', () => {
  expect(withOpened([HOME], '/users', '/users')).toEqual([HOME, PEOPLE])
})

test('naming a tab twice changes nothing the second time', () => {
  const named = withTitle([HOME, PEOPLE], 'users', 'People')
  expect(named[1]?.title).toBe('People')
  expect(withTitle(named, 'users', 'People')).toBe(named)
  expect(withTitle(named, 'absent', 'Nobody')).toBe(named)
})

test('closing a tab brings its later neighbour to the front, or the earlier when it was the last', () => {
  expect(withClosed([HOME, PEOPLE, LOGS], 'users')).toEqual({ tabs: [HOME, LOGS], next: LOGS })
  expect(withClosed([HOME, PEOPLE, LOGS], 'logs')).toEqual({ tabs: [HOME, PEOPLE], next: PEOPLE })
  expect(withClosed([HOME], 'mesh')).toEqual({ tabs: [], next: undefined })
})
