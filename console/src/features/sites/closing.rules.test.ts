import { expect, test } from 'vitest'
import { leftWithoutSite, moveOf } from './closing.rules.ts'

test('people cannot go to a site before one was chosen', () => {
  expect(moveOf({ members: 3 }, { destination: 'site', siteId: null })).toBeUndefined()
})

test('an empty site asks nothing', () => {
  expect(moveOf({ members: 0 }, { destination: 'site', siteId: null })).toBeNull()
})

test('people go where they were sent', () => {
  expect(moveOf({ members: 3 }, { destination: 'site', siteId: 's2' })).toEqual({ siteId: 's2' })
  expect(moveOf({ members: 3 }, { destination: 'unassigned', siteId: 's2' })).toBe('unassigned')
  expect(moveOf({ members: 3 }, { destination: 'stay', siteId: null })).toBe('stay')
})

test('only administrators whose last site closes are named', () => {
  const administrators = [
    { name: 'Saskia Brennan', lastSite: true },
    { name: 'Gabriel Moreau', lastSite: false },
  ]
  expect(leftWithoutSite({ administrators })).toEqual(['Saskia Brennan'])
})
