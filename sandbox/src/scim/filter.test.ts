import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matches, parseFilter } from './filter.ts'
import { ScimError } from './scim-error.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const document = {
  id: 'Ab1',
  externalId: 'NW-100000',
  userName: 'Zoe.OBrien@northwind.example',
  active: true,
  title: 'Barista "senior"',
  name: { familyName: "O'Brien" },
  emails: [
    { value: 'zoe@work.example', type: 'work', primary: true },
    { value: 'zoe@home.example', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Food & drink', manager: { value: 'm1' } },
}

describe('a filter', () => {
  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq x',
    'userName eq "x',
    '(userName eq "x"',
    'userName eq "x")',
    'userName eq "x" and',
    'userName eq "x" userName eq "y"',
    'not userName eq "x"',
    'emails[type eq "work"',
    'userName eq {}',
  ])('that reads %j is refused as invalidFilter', (text) => {
    expect(() => parseFilter(text)).toThrow(ScimError)
  })

  it.each([
    ['userName eq "zoe.obrien@NORTHWIND.example"', true],
    ['USERNAME EQ "zoe.obrien@northwind.example"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "zoe.obrien@northwind.example"', true],
    ['externalId eq "NW-100000"', true],
    ['externalId eq "nw-100000"', false],
    ['id eq "ab1"', false],
    ['title eq "Barista \\"senior\\""', true],
    ['title eq "barista"', false],
    ['title ne "barista"', true],
    ['title sw "bar" and title ew "ior\\"" and title co "sta"', true],
    ['title gt "a" and title le "z" and title ge "a" and title lt "z"', true],
    ['active eq true', true],
    ['active eq "true"', false],
    ['nickName pr', false],
    ['emails pr', true],
    ['name.familyName eq "o\'brien"', true],
    ['emails eq "zoe@home.example"', true],
    ['emails.value co "work"', true],
    ['emails[type eq "home" and value sw "zoe"]', true],
    ['emails[type eq "home" and primary eq true]', false],
    [`${ENTERPRISE}:department eq "food & drink"`, true],
    [`${ENTERPRISE}:manager.value eq "m1"`, true],
    ['not (active eq true)', false],
    ['active eq false or title pr and emails pr', true],
    ['(active eq false or title pr) and nickName pr', false],
  ])('%s is %s', (text, expected) => {
    expect(matches(parseFilter(text), document)).toBe(expected)
  })

  it('finds any text that is quoted as JSON', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(matches(parseFilter(`externalId eq ${JSON.stringify(text)}`), { externalId: text })).toBe(true)
      }),
      { seed: 1, numRuns: 200 },
    )
  })
})
