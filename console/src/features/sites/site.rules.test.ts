import { expect, test } from 'vitest'
import { problemsOf, siteChanges, siteInput, type TypedSite, typedNew } from './site.rules.ts'

const known = { groupRequired: true, isTimeZone: (zone: string) => zone === 'Europe/Paris' }
const lyon: TypedSite = { ...typedNew('Europe/Paris'), name: 'Lyon', groupId: 'g1', employeeIdPrefix: 'LY-' }

test.each<[string, Partial<TypedSite>, object]>([
  ['no name', { name: '   ' }, { name: 'enter' }],
  ['no group', { groupId: '' }, { groupId: 'select' }],
  ['no prefix', { employeeIdPrefix: ' ' }, { employeeIdPrefix: 'enter' }],
  ['a prefix of 30 characters', { employeeIdPrefix: 'é'.repeat(30) }, { employeeIdPrefix: 'prefixTooLong' }],
  ['a special character in the prefix', { employeeIdPrefix: 'LY#' }, { employeeIdPrefix: 'prefixCharacters' }],
  ['a blank within the prefix', { employeeIdPrefix: 'L Y' }, { employeeIdPrefix: 'prefixCharacters' }],
  ['a time zone that is none', { timeZone: 'Europe/Nowhere' }, { timeZone: 'timeZone' }],
])('%s is refused', (_what, change, problems) => {
  expect(problemsOf({ ...lyon, ...change }, known)).toEqual(problems)
})

test('everything that is missing is named at once', () => {
  expect(problemsOf(typedNew(''), known)).toEqual({ name: 'enter', groupId: 'select', employeeIdPrefix: 'enter', timeZone: 'timeZone' })
})

test.each(['LY-', 'é'.repeat(29), '𝒳'.repeat(29), 'ภูเก็ต', 'a_1'])('the prefix %s is taken', (employeeIdPrefix) => {
  expect(problemsOf({ ...lyon, employeeIdPrefix }, known)).toEqual({})
})

test('a site that never had a group keeps having none', () => {
  expect(problemsOf({ ...lyon, groupId: '' }, { ...known, groupRequired: false })).toEqual({})
})

test('only what was changed is sent, blanks at the ends apart', () => {
  expect(siteChanges({ ...lyon, name: ' Lyon ', restricted: true }, lyon)).toEqual({ restricted: true })
  expect(siteChanges({ ...lyon, groupId: '' }, lyon)).toEqual({ groupId: null })
  expect(siteChanges(lyon, lyon)).toEqual({})
})

test('no group is sent as null', () => {
  expect(siteInput({ ...lyon, groupId: '' }).groupId).toBeNull()
})
