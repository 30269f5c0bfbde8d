import fc from 'fast-check'
import { DELIVERIES, REFERENCE_TYPES, USER_FIELDS, type UserFieldName, userFieldNames } from '../user-fields.ts'
import type { UserFields } from '../user-shape.ts'

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((value) => value.trim() === value && !/[\r\n\u2028\u2029]/.test(value))
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const ALWAYS = new Set<UserFieldName>(['externalId', 'givenName', 'familyName', 'displayName', 'accessCodeDelivery'])

const anyValue = (field: UserFieldName): fc.Arbitrary<string | null> => {
  const { type } = USER_FIELDS[field]
  const value =
    type === 'date'
      ? day
      : type === 'delivery'
        ? fc.constantFrom(...DELIVERIES)
        : type === 'referenceType'
          ? fc.constantFrom(...REFERENCE_TYPES)
          : type === 'email'
            ? text.map((name) => `${name.replace(/[^a-z]/gi, 'x')}@x.example`)
            : text
  return ALWAYS.has(field) ? value : fc.option(value, { nil: null })
}

/** A reference and how it is read: both or neither. */
const withWholeReferences = (fields: UserFields): UserFields => ({
  ...fields,
  managerReferenceType: fields.manager === null ? null : (fields.managerReferenceType ?? 'email'),
  approverReferenceType: fields.approver === null ? null : (fields.approverReferenceType ?? 'externalId'),
})

/** Any fields of a person, as they are kept (tests). */
export const anyFields: fc.Arbitrary<UserFields> = fc
  .record(Object.fromEntries(userFieldNames.map((field) => [field, anyValue(field)])) as Record<UserFieldName, fc.Arbitrary<string | null>>)
  .map(withWholeReferences)
