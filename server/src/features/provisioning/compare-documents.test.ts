import { expect, test } from 'vitest'
import { compareDocuments } from './compare-documents.ts'

test('equal documents differ in nothing, whatever the order of their members and of their lists', () => {
  const emails = [
    { value: 'a@x.example', type: 'work' },
    { value: 'b@x.example', type: 'home' },
  ]
  expect(
    compareDocuments(
      { userName: 'a', name: { givenName: 'A', familyName: 'B' }, emails },
      {
        emails: [
          { type: 'home', value: 'b@x.example' },
          { type: 'work', value: 'a@x.example' },
        ],
        name: { familyName: 'B', givenName: 'A' },
        userName: 'a',
      },
    ),
  ).toEqual([])
})

test('the names of schemas are no attribute', () => {
  expect(compareDocuments({ schemas: ['a'] }, { schemas: ['a', 'b'] })).toEqual([])
})

test('members are told each by itself, also where one side has none of them; a list as a whole', () => {
  expect(
    compareDocuments(
      { title: 'Clerk', 'urn:x:User': { department: 'Sales' }, emails: [{ value: 'a' }] },
      { title: 'Clerk', name: { givenName: 'A' }, emails: [{ value: 'b' }] },
    ),
  ).toEqual([
    { attribute: 'name.givenName', before: null, after: 'A' },
    { attribute: 'emails', before: [{ value: 'a' }], after: [{ value: 'b' }] },
    { attribute: 'urn:x:User.department', before: 'Sales', after: null },
  ])
})
