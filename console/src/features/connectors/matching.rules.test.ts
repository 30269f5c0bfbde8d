import { DEFAULT_MATCHING, LOOKUP_KEYS } from '@instep/contract/matching.ts'
import { expect, it } from 'vitest'
import { keysLeft, newKey, withKeyMoved } from './matching.rules.ts'

const keys = [newKey('ExternalId'), newKey('EmployeeId'), newKey('Email')]

it('a key goes nowhere from the ends', () => {
  expect(withKeyMoved(keys, 0, -1)).toBe(keys)
  expect(withKeyMoved(keys, 2, 3)).toBe(keys)
})

it('a key changes its place, and none is lost', () => {
  expect(withKeyMoved(keys, 2, 0).map(({ kind }) => kind)).toEqual(['Email', 'ExternalId', 'EmployeeId'])
  expect(withKeyMoved(keys, 0, 1).map(({ kind }) => kind)).toEqual(['EmployeeId', 'ExternalId', 'Email'])
})

it('offers the keys that are not there', () => {
  expect(keysLeft(DEFAULT_MATCHING.keys)).toEqual(LOOKUP_KEYS.filter((kind) => kind !== 'ExternalId'))
  expect(keysLeft(LOOKUP_KEYS.map(newKey))).toEqual([])
})
