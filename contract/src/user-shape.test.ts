import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFields } from './testing/any-fields.ts'
import { UserInput } from './user-edits.ts'
import { userFieldNames } from './user-fields.ts'
import { API_PLACES, fieldsOf, pathOf, shapeOf } from './user-shape.ts'

const RUNS = { seed: 7, numRuns: 300 }

describe('fields and API shape', () => {
  it('every field has one place of its own, and a name there', () => {
    expect(Object.keys(API_PLACES)).toEqual(userFieldNames)
    expect(new Set(userFieldNames.map(pathOf)).size).toBe(userFieldNames.length)
    expect(
      ['department', 'workEmail', 'locationName', 'manager', 'approverReferenceType', 'givenName'].map((field) => pathOf(field as 'title')),
    ).toEqual([
      'enterprise.department',
      'emails.work',
      'addresses.formatted',
      'enterprise.manager',
      'enterprise.approver.referenceType',
      'name.givenName',
    ])
  })

  it('any fields come back from the shape', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        expect(fieldsOf(shapeOf(fields) as UserInput)).toEqual(fields)
      }),
      RUNS,
    )
  })

  it('any shape comes back from its fields', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        const shape = shapeOf(fields)
        expect(shapeOf(fieldsOf(shape as UserInput) as typeof fields)).toEqual(shape)
      }),
      RUNS,
    )
  })

  it('what a caller reads is what a caller may send', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        expect(fieldsOf(UserInput.parse(shapeOf(fields)))).toEqual(fields)
      }),
      RUNS,
    )
  })
})

describe('a shape that leaves something out', () => {
  it('leaves it as it is', () => {
    expect(fieldsOf({})).toEqual({})
    expect(fieldsOf({ name: {}, enterprise: {}, extension: {}, addresses: [{}] })).toEqual({})
    expect(fieldsOf({ name: { givenName: 'Ada' } })).toEqual({ givenName: 'Ada' })
    expect(fieldsOf({ addresses: [{ country: 'GB' }] })).toEqual({ country: 'GB' })
  })

  it('clears what a list or null says is not there', () => {
    expect(fieldsOf({ emails: [] })).toEqual({ workEmail: null, personalEmail: null })
    expect(fieldsOf({ phoneNumbers: [{ value: '1', type: 'mobile' }] })).toEqual({ workPhone: null, personalPhone: '1' })
    expect(fieldsOf({ addresses: null })).toEqual({ locationName: null, locality: null, country: null })
    expect(fieldsOf({ enterprise: { manager: null } })).toEqual({ manager: null, managerReferenceType: null })
  })

  it('a date at both places is the one at the top', () => {
    expect(fieldsOf({ startDate: '2024-01-01', extension: { startDate: '2025-01-01' } })).toEqual({ startDate: '2024-01-01' })
    expect(fieldsOf({ extension: { startDate: '2025-01-01', endDate: null } })).toEqual({ startDate: '2025-01-01', endDate: null })
    expect(fieldsOf({ startDate: null, extension: { startDate: '2025-01-01' } })).toEqual({ startDate: null })
  })
})

it('a reference of which nobody said how it is read is read by its @', () => {
  const fields = Object.fromEntries(userFieldNames.map((field) => [field, null])) as never as Parameters<typeof shapeOf>[0]
  expect(shapeOf({ ...fields, manager: 'boss@x.example' }).enterprise.manager).toEqual({ value: 'boss@x.example', referenceType: 'email' })
  expect(shapeOf({ ...fields, approver: 'NW-7' }).enterprise.approver).toEqual({ value: 'NW-7', referenceType: 'externalId' })
})
