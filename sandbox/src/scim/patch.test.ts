import { describe, expect, it } from 'vitest'
import { patchDocument } from './patch.ts'
import type { JsonObject } from './read-document.ts'
import { GROUP_KIND, USER_KIND } from './schemas.ts'
import { ScimError } from './scim-error.ts'

const USER = USER_KIND.core.id
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const user: JsonObject = {
  schemas: [USER, ENTERPRISE],
  userName: 'zoe',
  active: true,
  title: 'Barista',
  name: { givenName: 'Zoë', familyName: "O'Brien" },
  emails: [
    { value: 'zoe@work.example', type: 'work', primary: true },
    { value: 'zoe@home.example', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Kitchen', manager: { value: 'm1' } },
}

const patch = (...operations: object[]) =>
  patchDocument(USER_KIND, user, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations })

const refusal = (act: () => unknown): string | undefined => {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof ScimError ? error.scimType : String(error)
  }
}

describe('a PATCH that cannot be carried out', () => {
  it.each<[string, object, string]>([
    ['an unknown operation', { op: 'move', path: 'title' }, 'invalidSyntax'],
    ['an unknown attribute', { op: 'replace', path: 'shoeSize', value: '43' }, 'invalidPath'],
    ['an unknown part', { op: 'replace', path: 'name.first', value: 'Z' }, 'invalidPath'],
    ['a filter on a single value', { op: 'replace', path: 'title[value eq "x"]', value: 'y' }, 'invalidPath'],
    ['a broken filter', { op: 'remove', path: 'emails[type is "work"]' }, 'invalidFilter'],
    ['an id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['groups of an account', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    ['no value', { op: 'replace', path: 'title' }, 'invalidValue'],
    ['a value of another type', { op: 'replace', path: 'active', value: 'False' }, 'invalidValue'],
    ['a text for a complex attribute', { op: 'replace', path: 'name', value: 'Zoë' }, 'invalidValue'],
    ['the removal of what is required', { op: 'remove', path: 'userName' }, 'invalidValue'],
    ['a removal without a path', { op: 'remove' }, 'noTarget'],
    ['the replacement of a value that is not there', { op: 'replace', path: 'emails[type eq "other"].value', value: 'x' }, 'noTarget'],
  ])('is refused for %s', (_name, operation, expected) => {
    expect(refusal(() => patch(operation))).toBe(expected)
  })

  it('is refused for a body of another kind', () => {
    expect(refusal(() => patchDocument(USER_KIND, user, { Operations: [] }))).toBe('invalidSyntax')
    expect(refusal(() => patch())).toBe('invalidSyntax')
  })

  it('leaves the document as it was', () => {
    const before = structuredClone(user)
    refusal(() => patch({ op: 'replace', path: 'title', value: 'Cook' }, { op: 'replace', path: 'shoeSize', value: '43' }))
    expect(user).toEqual(before)
  })
})

describe('a PATCH of an account', () => {
  it.each<[string, object, object]>([
    ['sets a text', { op: 'replace', path: 'title', value: 'Cook' }, { title: 'Cook' }],
    ['takes the operation in any case', { op: 'Replace', path: 'TITLE', value: 'Cook' }, { title: 'Cook' }],
    ['clears with null', { op: 'replace', path: 'title', value: null }, { title: undefined }],
    ['removes', { op: 'remove', path: 'title' }, { title: undefined }],
    ['deactivates without a path', { op: 'replace', value: { active: false } }, { active: false }],
    [
      'changes part of a name',
      { op: 'replace', path: 'name.familyName', value: 'Berg' },
      { name: { givenName: 'Zoë', familyName: 'Berg' } },
    ],
    ['merges a name', { op: 'add', path: 'name', value: { familyName: 'Berg' } }, { name: { givenName: 'Zoë', familyName: 'Berg' } }],
    [
      'changes an extension by path',
      { op: 'replace', path: `${ENTERPRISE}:department`, value: 'Stock' },
      { [ENTERPRISE]: { department: 'Stock', manager: { value: 'm1' } } },
    ],
    [
      'changes an extension by its own id',
      { op: 'replace', path: ENTERPRISE, value: { department: 'Stock' } },
      { [ENTERPRISE]: { department: 'Stock', manager: { value: 'm1' } } },
    ],
    [
      'changes an extension without a path',
      { op: 'replace', value: { [ENTERPRISE]: { manager: { value: 'm2' } } } },
      { [ENTERPRISE]: { department: 'Kitchen', manager: { value: 'm2' } } },
    ],
    ['removes a manager', { op: 'remove', path: `${ENTERPRISE}:manager` }, { [ENTERPRISE]: { department: 'Kitchen' } }],
    [
      'changes the value that a filter finds',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'z@work.example' },
      {
        emails: [
          { value: 'z@work.example', type: 'work', primary: true },
          { value: 'zoe@home.example', type: 'home' },
        ],
      },
    ],
    [
      'makes the value that a filter describes',
      { op: 'add', path: 'phoneNumbers[type eq "mobile"].value', value: '+447400000000' },
      { phoneNumbers: [{ type: 'mobile', value: '+447400000000' }] },
    ],
    [
      'removes what a filter finds',
      { op: 'remove', path: 'emails[type eq "work"]' },
      { emails: [{ value: 'zoe@home.example', type: 'home' }] },
    ],
    ['replaces a list', { op: 'replace', path: 'emails', value: [{ value: 'a@b.example' }] }, { emails: [{ value: 'a@b.example' }] }],
    ['passes over what says nothing', { op: 'replace', value: { schemas: [USER], id: 'x', title: 'Cook' } }, { title: 'Cook' }],
  ])('%s', (_name, operation, expected) => {
    expect(patch(operation)).toEqual(JSON.parse(JSON.stringify({ ...user, ...expected })))
  })

  it('adds a value once, and a new primary value takes the old one’s place', () => {
    const fresh = { value: 'z@new.example', type: 'other', primary: true }
    const added = patch({ op: 'add', path: 'emails', value: [fresh] }, { op: 'add', path: 'emails', value: [fresh] })
    expect(added.emails).toEqual([
      { value: 'zoe@work.example', type: 'work', primary: false },
      { value: 'zoe@home.example', type: 'home' },
      fresh,
    ])
  })
})

describe('a PATCH of a group', () => {
  const group: JsonObject = { schemas: [GROUP_KIND.core.id], displayName: 'Kitchen', members: [{ value: 'a' }, { value: 'b' }] }
  const members = (operation: object) =>
    patchDocument(GROUP_KIND, group, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] }).members

  it.each<[string, object, object | undefined]>([
    [
      'adds members',
      { op: 'add', path: 'members', value: [{ value: 'b' }, { value: 'c' }] },
      [{ value: 'a' }, { value: 'b' }, { value: 'c' }],
    ],
    ['removes one by filter', { op: 'remove', path: 'members[value eq "a"]' }, [{ value: 'b' }]],
    ['removes those that the value names', { op: 'remove', path: 'members', value: [{ value: 'b' }] }, [{ value: 'a' }]],
    ['removes all', { op: 'remove', path: 'members' }, undefined],
    ['replaces all', { op: 'replace', path: 'members', value: [{ value: 'c' }] }, [{ value: 'c' }]],
  ])('%s', (_name, operation, expected) => {
    expect(members(operation)).toEqual(expected)
  })
})
