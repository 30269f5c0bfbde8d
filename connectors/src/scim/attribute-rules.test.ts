import { AttributeRule, AttributeRules, MAPPABLE_FIELDS, readAttributePath, USUAL_ATTRIBUTES } from '@instep/contract/attribute-rules.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TargetUser } from '../kit/target.ts'
import { type Members, pathOf, valueAt, withValue } from './attribute-path.ts'
import { compileRules } from './compile-rules.ts'
import { managedPart } from './managed-part.ts'
import { patchOperations } from './patch-operations.ts'
import { documentOf } from './scim-document.ts'
import { applyOperation } from './testing/dialect-stand-in.ts'

const SEED = { seed: 23, numRuns: 300 }
const BADGE = 'urn:example:2.0:User'
const settings = { userNameField: 'workEmail' } as const
const user: TargetUser = {
  active: true,
  fields: {
    externalId: '100',
    givenName: 'Ana',
    familyName: 'Silva',
    workEmail: 'ana@example.com',
    workPhone: '+331',
    department: 'Bakery',
  },
}
const made = (rules: unknown[], person = user) => compileRules(AttributeRules.parse(rules)).apply(documentOf(person, settings), person)
const field = (name: string) => ({ kind: 'field', field: name })

describe('an attribute path is refused', () => {
  it.each([
    '',
    'active',
    'id',
    'groups',
    'emails',
    'emails.value',
    'emails[type eq "work"]',
    'emails[type eq "work"].type',
    'emails[type eq work].value',
    'emails[type eq "a" or true].value',
    'a.b.c',
    'urn:x',
    '__proto__',
    'title ',
    'password',
  ])('%j', (path) => {
    expect(AttributeRule.safeParse({ path, from: field('title') }).success).toBe(false)
  })

  it('as the same one twice, and so is a field that no target gets', () => {
    const rule = { path: 'nickName', from: field('givenName') }
    expect(AttributeRules.safeParse([rule, rule]).success).toBe(false)
    expect(AttributeRule.safeParse({ path: 'nickName', from: field('dateOfBirth') }).success).toBe(false)
  })
})

describe('rules', () => {
  it('leave a document as it is where there are none', () => {
    expect(made([])).toEqual(documentOf(user, settings))
  })

  it('set, replace and leave out, with transforms and constants', () => {
    const document = made([
      { path: 'nickName', from: field('givenName'), transforms: [{ kind: 'case', to: 'upper' }] },
      {
        path: 'displayName',
        from: field('familyName'),
        transforms: [{ kind: 'concat', separator: ', ', parts: [{ from: 'value' }, { from: 'column', column: 'givenName' }] }],
      },
      { path: 'emails[type eq "other"].value', from: { kind: 'constant', text: 'desk@example.com' } },
      { path: 'roles[type eq "site"].value', from: field('department') },
      { path: `${BADGE}:badge.number`, from: { kind: 'constant', text: '42' }, as: 'number' },
      { path: `${BADGE}:visitor`, from: { kind: 'constant', text: 'No' }, as: 'boolean' },
      { path: 'phoneNumbers[type eq "work"].value', from: { kind: 'nothing' } },
      { path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', from: { kind: 'nothing' } },
    ])
    expect(document).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', BADGE],
      externalId: '100',
      userName: 'ana@example.com',
      active: true,
      name: { formatted: 'Ana Silva', familyName: 'Silva', givenName: 'Ana' },
      displayName: 'Silva, Ana',
      emails: [
        { value: 'ana@example.com', type: 'work', primary: true },
        { type: 'other', value: 'desk@example.com' },
      ],
      nickName: 'ANA',
      roles: [{ type: 'site', value: 'Bakery' }],
      [BADGE]: { badge: { number: 42 }, visitor: false },
    })
  })

  it('leave out what is empty, no number, or in no table', () => {
    const document = made([
      { path: 'nickName', from: field('costCenter') },
      { path: 'level', from: field('department'), as: 'number' },
      { path: 'costs', from: field('department'), transforms: [{ kind: 'lookup', values: {}, others: 'invalid' }] },
    ])
    expect(document).toEqual(documentOf(user, settings))
  })

  it('say what of an account is ours, and nothing else', () => {
    const rules = compileRules(
      AttributeRules.parse([
        { path: 'roles[type eq "site"].value', from: field('department') },
        { path: 'title', from: { kind: 'nothing' } },
      ]),
    )
    const resource = {
      id: '1',
      userName: 'a',
      title: 'Own',
      roles: [
        { type: 'site', value: 'X' },
        { type: 'admin', value: 'Y' },
      ],
    }
    expect(rules.managed(managedPart(resource), resource)).toMatchObject({ roles: [{ type: 'site', value: 'X' }] })
    expect(rules.managed(managedPart(resource), resource)).not.toHaveProperty('title')
  })

  it('can name every attribute that is sent anyway', () => {
    for (const path of Object.keys(USUAL_ATTRIBUTES))
      expect(AttributeRule.safeParse({ path, from: { kind: 'nothing' } }).success).toBe(true)
    const all = made(Object.keys(USUAL_ATTRIBUTES).map((path) => ({ path, from: { kind: 'nothing' } })))
    expect(all).toEqual({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], active: true, name: { formatted: 'Ana Silva' } })
  })
})

const paths = fc.constantFrom(
  'nickName',
  'title',
  'name.givenName',
  'emails[type eq "work"].value',
  'emails[type eq "other"].value',
  'roles[type eq "a"].value',
  'roles[type eq "b"].value',
  `${BADGE}:badge`,
  `${BADGE}:desk.floor`,
  ...Object.keys(USUAL_ATTRIBUTES),
)
const sources = fc.oneof(
  fc.constantFrom(...MAPPABLE_FIELDS).map((name) => ({ kind: 'field' as const, field: name })),
  fc.constantFrom('x', 'true', '7').map((text) => ({ kind: 'constant' as const, text })),
  fc.constant({ kind: 'nothing' as const }),
)
const anyRules = fc.uniqueArray(fc.record({ path: paths, from: sources, as: fc.constantFrom('text', 'boolean', 'number') }), {
  selector: ({ path }) => path,
  maxLength: 8,
})
const anyone = fc.record({
  active: fc.boolean(),
  fields: fc.record(Object.fromEntries(MAPPABLE_FIELDS.map((name) => [name, fc.constantFrom('', 'a', 'b', 'true', '7')])), {
    requiredKeys: [],
  }),
}) as fc.Arbitrary<TargetUser>

/** Entries of lists have no order that counts. */
const unordered = (document: Members): unknown =>
  JSON.parse(
    JSON.stringify(document, (name, value: unknown) => {
      if (name === 'schemas') return undefined
      if (Array.isArray(value)) return value.map((entry) => JSON.stringify(Object.entries(entry as Members).toSorted())).toSorted()
      return value
    }),
  )

describe('for all rules and people', () => {
  it('the document is the same each time, whatever the order of the fields', () => {
    fc.assert(
      fc.property(anyRules, anyone, (rules, person) => {
        const reversed = { ...person, fields: Object.fromEntries(Object.entries(person.fields).toReversed()) }
        expect(JSON.stringify(made(rules, reversed))).toBe(JSON.stringify(made(rules, person)))
      }),
      SEED,
    )
  })

  it.each(['whole', 'entry'] as const)('the operations applied to the one give the other (lists %s)', (lists) => {
    fc.assert(
      fc.property(anyRules, anyone, anyone, (rules, one, other) => {
        const [before, after] = [made(rules, one), made(rules, other)]
        const operations = patchOperations(before, after, lists)
        const reached = operations.reduce(applyOperation, { ...before } as Members)
        expect(unordered(reached)).toEqual(unordered({ ...after }))
        expect(patchOperations(before, before, lists)).toEqual([])
        // none can be left out
        expect(new Set(operations.map(({ op, path }) => `${op} ${path}`)).size).toBe(operations.length)
      }),
      SEED,
    )
  })

  it('what was set at a path is read there, and taking it away leaves nothing', () => {
    fc.assert(
      fc.property(paths, fc.string({ minLength: 1 }), anyone, (text, value, person) => {
        const path = pathOf(text)
        const document = { ...documentOf(person, settings) }
        const set = withValue(document, path, value)
        expect(valueAt(set, path)).toBe(value)
        expect(valueAt(withValue(set, path, undefined), path)).toBeUndefined()
        expect(readAttributePath(text)).toEqual(path)
      }),
      SEED,
    )
  })
})
