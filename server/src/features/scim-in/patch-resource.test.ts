import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from './json.ts'
import { memberStep } from './member-steps.rules.ts'
import { readPatch } from './patch-operations.rules.ts'
import { patchResource } from './patch-resource.rules.ts'
import { ENTERPRISE_ID, GROUP_KIND, USER_KIND } from './scim-schemas.ts'

const USER: JsonObject = {
  externalId: 'E-1',
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Byron' },
  title: 'Baker',
  active: true,
  emails: [
    { type: 'work', value: 'ada@work.example', primary: true },
    { type: 'home', value: 'ada@home.example' },
  ],
  [ENTERPRISE_ID]: { department: 'Bread', manager: { value: 'M-1', displayName: 'Max' } },
}

const patch = (operations: Json, from: JsonObject = USER) =>
  patchResource(USER_KIND, from, readPatch(USER_KIND, { Operations: operations }))
/** What differs from the user above; null where something is gone. */
const changes = (operations: Json): JsonObject => {
  const after = patch(operations)
  const names = [...new Set([...Object.keys(USER), ...Object.keys(after)])]
  return Object.fromEntries(
    names.flatMap((name) => (JSON.stringify(after[name]) === JSON.stringify(USER[name]) ? [] : [[name, after[name] ?? null]])),
  )
}
const enterprise = (change: JsonObject) => ({ [ENTERPRISE_ID]: { ...(USER[ENTERPRISE_ID] as JsonObject), ...change } })
const [WORK, HOME] = USER['emails'] as [JsonObject, JsonObject]

// as recorded from the provisioning service of Entra ID, with and without aadOptscim062020
const ENTRA: [string, Json, JsonObject][] = [
  ['a capitalised operation', [{ op: 'Replace', path: 'title', value: 'Cook' }], { title: 'Cook' }],
  ['a leaver, as a text', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  ['a leaver', [{ op: 'Replace', path: 'active', value: false }], { active: false }],
  ['Add in place of Replace', [{ op: 'Add', path: 'title', value: 'Cook' }], { title: 'Cook' }],
  [
    'one value of a list by its type',
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'ab@work.example' }],
    { emails: [{ ...WORK, value: 'ab@work.example' }, HOME] },
  ],
  [
    'a value of a type that is not there yet, added',
    [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+33 6 12' }],
    { phoneNumbers: [{ type: 'mobile', value: '+33 6 12' }] },
  ],
  [
    'a value of a type that is not there yet, replaced',
    [{ op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'Lyon' }],
    { addresses: [{ type: 'work', locality: 'Lyon' }] },
  ],
  [
    'a role by a boolean written as a text',
    [{ op: 'Add', path: 'roles[primary eq "True"].value', value: 'Admin' }],
    { roles: [{ primary: true, value: 'Admin' }] },
  ],
  [
    'an attribute of the extension',
    [{ op: 'Add', path: `${ENTERPRISE_ID}:department`, value: 'Cakes' }],
    enterprise({ department: 'Cakes' }),
  ],
  ['the manager as a text', [{ op: 'Add', path: `${ENTERPRISE_ID}:manager`, value: 'M-2' }], enterprise({ manager: { value: 'M-2' } })],
  [
    'the manager in a list',
    [{ op: 'Add', path: `${ENTERPRISE_ID}:manager`, value: [{ $ref: '/Users/M-2', value: 'M-2' }] }],
    enterprise({ manager: { $ref: '/Users/M-2', value: 'M-2' } }),
  ],
  [
    'the manager as an object',
    [{ op: 'Replace', path: `${ENTERPRISE_ID}:manager`, value: { value: 'M-2' } }],
    enterprise({ manager: { value: 'M-2' } }),
  ],
  [
    'the manager by its part',
    [{ op: 'Replace', path: `${ENTERPRISE_ID}:manager.value`, value: 'M-2' }],
    enterprise({ manager: { displayName: 'Max', value: 'M-2' } }),
  ],
  ['the manager taken away', [{ op: 'Remove', path: `${ENTERPRISE_ID}:manager` }], { [ENTERPRISE_ID]: { department: 'Bread' } }],
  [
    'a text that wraps the value',
    [{ op: 'Add', path: 'displayName', value: [{ $ref: null, value: 'Ada B.' }] }],
    { displayName: 'Ada B.' },
  ],
  ['an empty text', [{ op: 'Replace', path: 'title', value: '' }], { title: null }],
  [
    'no path and dotted, bracketed and schema names',
    [
      {
        op: 'replace',
        value: {
          displayName: 'Ada B.',
          'name.givenName': 'Augusta',
          active: 'False',
          'emails[type eq "work"].value': 'ab@work.example',
          [`${ENTERPRISE_ID}:employeeNumber`]: '17',
        },
      },
    ],
    {
      displayName: 'Ada B.',
      name: { givenName: 'Augusta', familyName: 'Byron' },
      active: false,
      emails: [{ ...WORK, value: 'ab@work.example' }, HOME],
      ...enterprise({ employeeNumber: '17' }),
    },
  ],
  [
    'an extension of their own',
    [{ op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:contoso:2.0:User:badge', value: 'B7' }],
    { 'urn:ietf:params:scim:schemas:extension:contoso:2.0:User': { badge: 'B7' } },
  ],
]

const OKTA: [string, Json, JsonObject][] = [
  ['a leaver without a path', [{ op: 'replace', value: { active: false } }], { active: false }],
  ['a resource that repeats its id', [{ op: 'replace', value: { id: 'x', schemas: [], title: 'Cook' } }], { title: 'Cook' }],
  ['a password, which is not kept', [{ op: 'replace', value: { password: 't1meMa$heen' } }], {}],
  ['an extension as an object', [{ op: 'add', value: { [ENTERPRISE_ID]: { costCenter: 'C1' } } }], enterprise({ costCenter: 'C1' })],
  ['nothing new', [{ op: 'replace', value: { active: true, title: 'Baker' } }], {}],
]

const RFC: [string, Json, JsonObject][] = [
  [
    'parts of a name that keep the others',
    [{ op: 'replace', path: 'name', value: { givenName: 'Augusta' } }],
    { name: { givenName: 'Augusta', familyName: 'Byron' } },
  ],
  ['a part set to null', [{ op: 'replace', path: 'name', value: { givenName: null } }], { name: { familyName: 'Byron' } }],
  [
    'names in any case',
    [{ op: 'REPLACE', path: 'NAME.GIVENNAME', value: 'Augusta' }],
    { name: { givenName: 'Augusta', familyName: 'Byron' } },
  ],
  [
    'a value that is there already',
    [{ op: 'add', path: 'emails', value: [{ type: 'home', value: 'ADA@home.example' }] }],
    { emails: [WORK, { type: 'home', value: 'ADA@home.example' }] },
  ],
  [
    'a new primary value, which is the only one',
    [{ op: 'add', path: 'emails', value: { type: 'other', value: 'x@y.example', primary: true } }],
    { emails: [{ ...WORK, primary: false }, HOME, { type: 'other', value: 'x@y.example', primary: true }] },
  ],
  ['a whole list', [{ op: 'replace', path: 'emails', value: [{ value: 'x@y.example' }] }], { emails: [{ value: 'x@y.example' }] }],
  ['values removed by a filter', [{ op: 'remove', path: 'emails[value ew "home.example" or type eq "other"]' }], { emails: [WORK] }],
  [
    'a part of every value',
    [{ op: 'replace', path: 'emails.type', value: 'other' }],
    {
      emails: [
        { ...WORK, type: 'other' },
        { ...HOME, type: 'other' },
      ],
    },
  ],
  ['values removed by name', [{ op: 'remove', path: 'emails', value: [{ value: 'ADA@work.example' }] }], { emails: [HOME] }],
  ['a list removed', [{ op: 'remove', path: 'emails' }], { emails: null }],
  ['what is not there removed', [{ op: 'remove', path: 'photos[type eq "thumbnail"]' }], {}],
  ['an extension removed', [{ op: 'remove', path: ENTERPRISE_ID }], { [ENTERPRISE_ID]: null }],
  [
    'one step after the other',
    [
      { op: 'remove', path: 'title' },
      { op: 'add', path: 'title', value: 'Cook' },
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:title', value: 'Chef' },
    ],
    { title: 'Chef' },
  ],
]

describe('a patch', () => {
  it.each(ENTRA)('of Entra ID: %s', (_, operations, expected) => expect(changes(operations)).toEqual(expected))
  it.each(OKTA)('of Okta: %s', (_, operations, expected) => expect(changes(operations)).toEqual(expected))
  it.each(RFC)('of RFC 7644: %s', (_, operations, expected) => expect(changes(operations)).toEqual(expected))

  it.each<[string, Json, string]>([
    ['no operations', [], 'invalidSyntax'],
    ['an operation of another name', [{ op: 'move', path: 'title', value: 'x' }], 'invalidSyntax'],
    ['no value', [{ op: 'add', path: 'title' }], 'invalidValue'],
    ['remove without a path', [{ op: 'remove' }], 'noTarget'],
    ['an attribute that there is not', [{ op: 'add', path: 'shoeSize', value: 1 }], 'invalidPath'],
    ['a prototype', [{ op: 'add', path: 'urn:x:2.0:User:__proto__', value: { a: 1 } }], 'invalidPath'],
    ['a path that runs on', [{ op: 'add', path: 'name.givenName.first', value: 'x' }], 'invalidPath'],
    ['a filter that cannot be read', [{ op: 'remove', path: 'emails[type is "work"]' }], 'invalidFilter'],
    ['a filter on what is no list', [{ op: 'remove', path: 'name[givenName eq "x"]' }], 'invalidPath'],
    ['a filter that fits nothing and says no one thing', [{ op: 'replace', path: 'emails[value co "z"].type', value: 'x' }], 'noTarget'],
    ['an id', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    ['groups, which are changed at the group', [{ op: 'add', path: 'groups', value: [] }], 'mutability'],
    ['the userName removed', [{ op: 'remove', path: 'userName' }], 'invalidValue'],
    ['a boolean that is none', [{ op: 'replace', path: 'active', value: 'maybe' }], 'invalidValue'],
    ['a list where there is one value', [{ op: 'replace', path: 'title', value: ['a', 'b'] }], 'invalidValue'],
    ['an object where there is a text', [{ op: 'replace', path: 'title', value: { a: 1 } }], 'invalidValue'],
    ['a userName that no index takes', [{ op: 'replace', path: 'userName', value: 'x'.repeat(501) }], 'invalidValue'],
  ])('is refused with %s, and leaves the user alone', (_, operations, scimType) => {
    const before = JSON.stringify(USER)
    expect(() => patch(operations)).toThrow(expect.objectContaining({ status: 400, scimType }))
    expect(JSON.stringify(USER)).toBe(before)
  })
})

describe('a patch of who is in a group', () => {
  const [ONE, TWO] = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222'] as [string, string]
  const steps = (operations: Json) => readPatch(GROUP_KIND, { Operations: operations }).map(memberStep)

  it.each<[string, Json, object]>([
    ['Entra ID adds', { op: 'Add', path: 'members', value: [{ $ref: null, value: ONE }] }, { op: 'add', users: [ONE] }],
    ['Entra ID removes by value', { op: 'Remove', path: 'members', value: [{ $ref: null, value: ONE }] }, { op: 'remove', users: [ONE] }],
    ['Entra ID removes by path', { op: 'Remove', path: `members[value eq "${ONE.toUpperCase()}"]` }, { op: 'remove', users: [ONE] }],
    [
      'Okta adds',
      { op: 'add', path: 'members', value: [{ value: ONE, display: 'a@b.example' }, { value: ONE }] },
      { op: 'add', users: [ONE] },
    ],
    ['Okta replaces all', { op: 'replace', path: 'members', value: [{ value: ONE }, { value: TWO }] }, { op: 'keep', users: [ONE, TWO] }],
    ['Okta empties', { op: 'replace', value: { members: [] } }, { op: 'keep', users: [] }],
    ['several by path', { op: 'remove', path: `members[value eq "${ONE}" or value eq "${TWO}"]` }, { op: 'remove', users: [ONE, TWO] }],
    ['everybody leaves', { op: 'remove', path: 'members' }, { op: 'keep', users: [] }],
  ])('%s', (_, operation, expected) => expect(steps([operation])).toEqual([expected]))

  it('does not touch the members where the operation does not name them', () => {
    const named = readPatch(GROUP_KIND, { Operations: [{ op: 'replace', value: { id: 'x', displayName: 'Bakers' } }] })
    expect(named.map(({ path }) => path.attribute?.name)).toEqual(['displayName'])
  })
})
