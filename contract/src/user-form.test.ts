import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formFieldAt, formFieldFor } from './form-fields.ts'
import { withPhonePrefix } from './phone-prefix.ts'
import { anyFields } from './testing/any-fields.ts'
import { UserInput } from './user-edits.ts'
import { DELIVERIES, SCHEMA_ID, userFieldNames } from './user-fields.ts'
import { formOf, newForm, type UserForm } from './user-form.ts'
import { inputOf } from './user-form-input.ts'
import { fieldsOf, pathOf, shapeOf, type UserFields } from './user-shape.ts'
import type { User } from './users.ts'

const ID = '01a1fbc4-84c5-717f-bb92-dfc8ab813fad'
const OTHER = '01a1fbc4-84c5-717f-bb92-dfc8ab813fae'
const RUNS = { seed: 9, numRuns: 300 }

const userOf = (fields: UserFields, rest: Partial<User> = {}, claimFields: Record<string, string> = {}): User => {
  const { extension, ...shape } = shapeOf(fields)
  return {
    id: ID,
    ...shape,
    connectorId: ID,
    siteId: null,
    ingestionType: 'file',
    schemaId: SCHEMA_ID,
    tenantId: ID,
    active: true,
    locked: false,
    vip: false,
    extension: { ...extension, claimFields },
    ssoData: null,
    overrides: {},
    claim: { state: 'invited', invitedAt: null, claimedAt: null },
    status: 'invited',
    version: 1,
    ...rest,
  }
}

/** What the server makes of an input. */
const applied = (user: User, input: UserInput): User => {
  const before = fieldsOf(user as UserInput) as UserFields
  const asked = fieldsOf(input)
  const derived = (fields: UserFields) => `${fields.givenName} ${fields.familyName}`
  const fields = { ...before, ...asked }
  const named =
    asked.displayName ?? (asked.displayName === null || before.displayName === derived(before) ? derived(fields) : before.displayName)
  const claimFields = Object.entries({ ...user.extension.claimFields, ...input.extension?.claimFields }).filter(
    ([, value]) => value !== null,
  )
  const { active = user.active, siteId = user.siteId } = input
  return userOf(
    { ...fields, displayName: named },
    { active, siteId, overrides: user.overrides },
    Object.fromEntries(claimFields) as Record<string, string>,
  )
}

const anyUser = fc
  .tuple(
    anyFields,
    fc.boolean(),
    fc.option(fc.constantFrom(ID, OTHER), { nil: null }),
    fc.dictionary(fc.constantFrom(ID, OTHER), fc.constantFrom('42', '2024-02-29')),
  )
  .map(([fields, active, siteId, claimFields]) => userOf(fields, { active, siteId }, claimFields))

describe('the form', () => {
  it('asks nothing of the server while nobody has touched it', () => {
    fc.assert(
      fc.property(anyUser, (user) => {
        expect(inputOf(formOf(user), { mode: 'edit', before: user })).toEqual({})
      }),
      RUNS,
    )
  })

  it('shows after saving what was written in it, and keeps what it does not show', () => {
    fc.assert(
      fc.property(anyUser, anyUser, (before, wanted) => {
        const form = formOf({ ...wanted, overrides: before.overrides })
        const input = inputOf(form, { mode: 'edit', before })
        expect(UserInput.safeParse(input).success).toBe(true)
        const after = applied(before, input)
        expect(withDerived(formOf(after), before)).toEqual(withDerived(form, before))
        const [was, is] = [fieldsOf(before as UserInput), fieldsOf(after as UserInput)]
        for (const field of ['employeeNumber', 'userName', 'externalReferenceId', 'workPhone'] as const) expect(is[field]).toBe(was[field])
        const hidden = form.accessCodeDelivery === 'email.work' ? 'personalEmail' : 'workEmail'
        expect(is[hidden]).toBe(was[hidden])
      }),
      RUNS,
    )
  })

  it('creates whom it shows', () => {
    fc.assert(
      fc.property(anyUser, (user) => {
        const form = { ...formOf({ ...user, active: true }), employeeIdPrefix: '', extension: { externalIdPrefix: '' } }
        const nobody = userOf({
          ...(Object.fromEntries(userFieldNames.map((field) => [field, null])) as UserFields),
          accessCodeDelivery: 'none',
        })
        const created = applied({ ...nobody, displayName: ' ' }, inputOf(form, { mode: 'create' }))
        expect(formOf(created)).toEqual(form)
      }),
      RUNS,
    )
  })
})

/** A display name that was made of the names before is made of the names after. */
const withDerived = (form: UserForm, before: User): UserForm =>
  before.displayName === `${before.name.givenName} ${before.name.familyName}` && form.displayName === before.displayName
    ? { ...form, displayName: `${form.givenName} ${form.familyName}` }
    : form

const fields = Object.fromEntries(userFieldNames.map((field) => [field, null])) as UserFields
const ada = userOf({
  ...fields,
  externalId: 'NW-1',
  externalIdPrefix: 'NW-',
  givenName: 'Ada',
  familyName: 'Byron',
  displayName: 'Ada Byron',
  workEmail: 'ada@work.example',
  personalEmail: 'ada@home.example',
  workPhone: '+441',
  personalPhone: '+447700900123',
  manager: 'NW-7',
  accessCodeDelivery: 'email.personal',
})
const created = (form: Partial<UserForm>, phonePrefix = '+44') =>
  inputOf({ ...newForm({ tenantId: ID, connectorId: ID, siteId: OTHER }), ...form }, { mode: 'create', phonePrefix })
const edited = (form: Partial<UserForm>, before = ada) => inputOf({ ...formOf(before), ...form }, { mode: 'edit', before })

describe('an edit sends', () => {
  it.each<[Partial<UserForm>, UserInput]>([
    [{ title: ' Head\r\nbaker\u2028 ' }, { title: 'Headbaker' }],
    [{ title: ' ' }, {}],
    [{ manager: '' }, { enterprise: { manager: null } }],
    [{ managerReferenceType: null }, { enterprise: { manager: null } }],
    [
      { manager: 'a@b.example', managerReferenceType: 'email' },
      { enterprise: { manager: { value: 'a@b.example', referenceType: 'email' } } },
    ],
    [{ leader: 'boss@x.example' }, { enterprise: { leader: { value: 'boss@x.example', referenceType: 'email' } } }],
    [{ startDate: '29/02/2024' }, { startDate: '2024-02-29' }],
    [
      { email: 'new@home.example' },
      {
        emails: [
          { value: 'ada@work.example', type: 'work' },
          { value: 'new@home.example', type: 'personal' },
        ],
      },
    ],
    [{ email: '' }, { emails: [{ value: 'ada@work.example', type: 'work' }] }],
    [
      { phoneNumber: '07700' },
      {
        phoneNumbers: [
          { value: '+441', type: 'work' },
          { value: '07700', type: 'personal' },
        ],
      },
    ],
    [{ givenName: 'Augusta' }, { name: { givenName: 'Augusta' } }],
    [{ displayName: 'The Countess' }, { displayName: 'The Countess' }],
    [{ displayName: '' }, {}],
    [{ externalId: 'NW-2' }, { externalId: 'NW-2' }],
    [{ employeeIdPrefix: '' }, { extension: { externalIdPrefix: null } }],
    [{ claimFields: { [ID]: ' 42 ' } }, { extension: { claimFields: { [ID]: '42' } } }],
    [{ active: false }, { active: false }],
    [{ siteId: OTHER }, { siteId: OTHER }],
  ])('of %j only that', (form, input) => expect(edited(form)).toEqual(input))

  it('a custom attribute that was cleared as null', () => {
    const before = { ...ada, extension: { ...ada.extension, claimFields: { [ID]: '42', [OTHER]: 'x' } } }
    expect(edited({ claimFields: { [ID]: '', [OTHER]: 'x' } }, before)).toEqual({ extension: { claimFields: { [ID]: null } } })
    expect(edited({ claimFields: {} }, before)).toEqual({ extension: { claimFields: { [ID]: null, [OTHER]: null } } })
  })

  it('what goes back to the source', () => {
    const before = { ...ada, overrides: { title: 'Countess', department: 'X', division: null } }
    expect(edited({ overrides: { title: null, department: 'X', division: null } }, before)).toEqual({ overrides: { title: null } })
  })
})

describe('a creation sends', () => {
  it('the prefix in front of the external id, and keeps it', () => {
    expect(created({ externalId: '12', employeeIdPrefix: 'NW-' })).toMatchObject({
      externalId: 'NW-12',
      extension: { externalIdPrefix: 'NW-' },
    })
    expect(created({ externalId: '12' })).toMatchObject({ externalId: '12', siteId: OTHER, active: true })
  })

  it.each([
    ['07700 900123', '+44', '+447700900123'],
    ['7700 900 123', '+44', '+447700900123'],
    ['(0)7700/900-123', '+44', '+447700900123'],
    ['+33 6 12 34 56 78', '+44', '+33 6 12 34 56 78'],
    ['0033612345678', '+44', '0033612345678'],
    ['06 1234 5678', '+39', '+390612345678'],
    ['', '+44', ''],
    ['07700', '', '07700'],
  ])('the number %s with %s as %s', (number, prefix, whole) => {
    expect(withPhonePrefix(number, prefix)).toBe(whole)
    expect(created({ phoneNumber: number }, prefix).phoneNumbers).toEqual(whole === '' ? [] : [{ value: whole, type: 'personal' }])
  })

  it.each(DELIVERIES)('the e-mail address as that of the delivery %s', (accessCodeDelivery) => {
    const type = accessCodeDelivery === 'email.work' ? 'work' : 'personal'
    expect(created({ accessCodeDelivery, email: 'a@b.example' }).emails).toEqual([{ value: 'a@b.example', type }])
  })
})

describe('a refusal of the server', () => {
  it('finds the input of every field that has one', () => {
    const without = userFieldNames.filter((field) => formFieldFor(field, 'none') === undefined)
    expect(without).toEqual(['employeeNumber', 'userName', 'externalReferenceId', 'workEmail', 'workPhone'])
    for (const field of userFieldNames)
      if (!without.includes(field)) expect([field, formFieldAt(pathOf(field))]).toEqual([field, formFieldFor(field, 'none')])
  })

  it.each([
    ['emails.work', 'email'],
    ['emails.0.value', 'email'],
    ['phoneNumbers', 'phoneNumber'],
    ['addresses.0.formatted', 'locationName'],
    ['enterprise.manager.value', 'manager'],
    ['enterprise.approver.referenceType', 'approver'],
    ['extension.claimFields.x', 'claimFields'],
    ['extension.startDate', 'startDate'],
    ['siteId', 'siteId'],
    ['overrideUntil', undefined],
    ['', undefined],
  ])('under %s belongs to %s', (path, field) => expect(formFieldAt(path)).toBe(field))

  it('the work address has an input of somebody who gets the code there', () => {
    expect([formFieldFor('workEmail', 'email.work'), formFieldFor('personalEmail', 'email.work')]).toEqual(['email', undefined])
  })
})
