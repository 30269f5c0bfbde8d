import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashDocument } from '../kit/hash-document.ts'
import { managedPart } from './managed-part.ts'
import { patchOperations } from './patch-operations.ts'
import { documentOf, ENTERPRISE_USER, SCIM_FIELDS } from './scim-document.ts'

const byEmail = { userNameField: 'workEmail' } as const
const SEED = { seed: 11, numRuns: 200 }

describe('documentOf', () => {
  it('writes a whole person', () => {
    const fields = {
      externalId: '100',
      givenName: 'Ana',
      familyName: 'Silva',
      title: 'Baker',
      workEmail: 'ana@example.com',
      personalEmail: 'ana@home.example.com',
      workPhone: '+33123456789',
      personalPhone: '+33612345678',
      preferredLanguage: 'fr_FR',
      timezone: 'Europe/Paris',
      locationName: 'Lyon 1',
      locality: 'Lyon',
      country: 'FR',
      employeeNumber: '7',
      department: 'Bakery',
    }
    expect(documentOf({ fields, active: true, managerRemoteId: 'm1' }, byEmail)).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE_USER],
      externalId: '100',
      userName: 'ana@example.com',
      active: true,
      name: { formatted: 'Ana Silva', familyName: 'Silva', givenName: 'Ana' },
      displayName: 'Ana Silva',
      title: 'Baker',
      preferredLanguage: 'fr-FR',
      timezone: 'Europe/Paris',
      emails: [
        { value: 'ana@example.com', type: 'work', primary: true },
        { value: 'ana@home.example.com', type: 'home' },
      ],
      phoneNumbers: [
        { value: '+33123456789', type: 'work', primary: true },
        { value: '+33612345678', type: 'mobile' },
      ],
      addresses: [{ type: 'work', formatted: 'Lyon 1', locality: 'Lyon', country: 'FR', primary: true }],
      [ENTERPRISE_USER]: { employeeNumber: '7', department: 'Bakery', manager: { value: 'm1' } },
    })
  })

  it('leaves out what is blank', () => {
    expect(documentOf({ fields: { externalId: '1', title: ' ', department: null }, active: false }, byEmail)).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      externalId: '1',
      userName: '1',
      active: false,
    })
  })

  it.each([
    ['workEmail', {}, 'a@example.com'],
    ['workEmail', { workEmail: null }, 'ST-9'],
    ['externalId', {}, 'ST-9'],
    ['userName', {}, 'asilva'],
    ['userName', { userName: null }, 'a@example.com'],
  ] as const)('names the user by %s, given %j: %s', (userNameField, more, expected) => {
    const fields = { externalId: '9', workEmail: 'a@example.com', userName: 'asilva', ...more }
    expect(documentOf({ fields, active: true, externalIdPrefix: 'ST-' }, { userNameField })).toMatchObject({
      userName: expected,
      externalId: '9',
    })
  })
})

const value = fc.option(fc.stringMatching(/^[A-Za-zé' ]{0,6}$/))
const person = fc.record({
  fields: fc.record(Object.fromEntries(SCIM_FIELDS.map((field) => [field, value]))),
  active: fc.boolean(),
  managerRemoteId: value,
})
const document = person.map((user) => documentOf(user, byEmail))

describe('documents', () => {
  it('come back from a target as they were sent', () => {
    fc.assert(
      fc.property(document, (sent) => {
        expect(managedPart(JSON.parse(JSON.stringify({ ...sent, id: '1', meta: {}, groups: [] })))).toEqual(sent)
      }),
      SEED,
    )
  })

  it('are turned into each other by the operations between them, and need none to stay', () => {
    const apply = (from: Record<string, unknown>, operations: ReturnType<typeof patchOperations>) => {
      const result = structuredClone(from)
      for (const operation of operations) {
        const nested = /^(name)\.(.+)$|^(urn:.+:User):(.+)$/.exec(operation.path)
        const outer = nested?.[1] ?? nested?.[3]
        if (outer) result[outer] ??= {}
        const holder = outer ? (result[outer] as Record<string, unknown>) : result
        const member = nested?.[2] ?? nested?.[4] ?? operation.path
        if (operation.op === 'remove') delete holder[member]
        else holder[member] = operation.value
      }
      return managedPart(result)
    }
    fc.assert(
      fc.property(document, document, (before, after) => {
        expect(apply(before, patchOperations(before, after))).toEqual(after)
        expect(patchOperations(after, after)).toEqual([])
      }),
      SEED,
    )
  })

  it('have one hash whatever the order of their members, and another when a value differs', () => {
    fc.assert(
      fc.property(document, document, (a, b) => {
        const turned = Object.fromEntries(Object.entries(a).reverse())
        expect(hashDocument(turned)).toEqual(hashDocument(a))
        expect(hashDocument(a) === hashDocument(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
      SEED,
    )
    expect(hashDocument({})).toMatch(/^[0-9a-f]{64}$/)
    // applied hashes are kept: those of another version would have every account written again
    const text = '{"a":"é\\"","b":[1,null,{"c":null}]}'
    expect(hashDocument({ b: [1, undefined, { d: undefined, c: null }], a: 'é"' })).toEqual(createHash('sha256').update(text).digest('hex'))
  })
})
