import { describe, expect, test } from 'vitest'
import { pathOf, stillHas, withAccepted, withValue } from './accepted.rules.ts'

const WORK = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const document = { userName: 'ada', title: 'Clerk', name: { givenName: 'Ada' }, [WORK]: { department: 'Ledger' } }
const accepted = (path: string[], ours: unknown, theirs: unknown) => ({ userId: 'u', path, ours, theirs })

describe('an attribute is found', () => {
  test.each([
    ['title', ['title']],
    ['name.givenName', ['name', 'givenName']],
    [`${WORK}.department`, [WORK, 'department']],
    ['nickName', ['nickName']],
  ])('%s', (attribute, path) => {
    expect(pathOf(attribute, [document])).toEqual(path)
  })
})

test('another value is set, and nothing is left of what has none', () => {
  expect(withValue(document, ['title'], null)).not.toHaveProperty('title')
  expect(withValue(document, ['name', 'givenName'], null)).not.toHaveProperty('name')
  expect(withValue(document, ['name', 'familyName'], 'King')).toMatchObject({ name: { givenName: 'Ada', familyName: 'King' } })
  expect(withValue(document, [WORK, 'department'], 'Sales')).toMatchObject({ [WORK]: { department: 'Sales' } })
})

test('what was accepted is laid over what the person says, and the absence of an account changes no value', () => {
  expect(withAccepted(document, [accepted(['title'], 'Clerk', 'Head'), accepted([], null, null)])).toEqual({ ...document, title: 'Head' })
})

test('a side has its value still, whatever the order of a list, or has not', () => {
  expect(stillHas(document, accepted(['title'], 'Clerk', 'Head'), 'ours')).toBe(true)
  expect(stillHas(document, accepted(['title'], 'Clerk', 'Head'), 'theirs')).toBe(false)
  expect(stillHas(document, accepted(['nickName'], null, 'A'), 'ours')).toBe(true)
  expect(stillHas({ phones: [{ a: 1 }, { a: 2 }] }, accepted(['phones'], null, [{ a: 2 }, { a: 1 }]), 'theirs')).toBe(true)
})
