import { newForm, type UserForm } from '@instep/contract/user-form.ts'
import { describe, expect, test } from 'vitest'
import { type Checked, problemsOf, requiredUnits } from './user-form.problems.ts'

const complete: UserForm = {
  ...newForm({ tenantId: 't', connectorId: 't', siteId: 's' }),
  externalId: 'NW-1',
  givenName: 'Noah',
  familyName: 'Kowalski',
  preferredLanguage: 'en-GB',
  startDate: '02/12/2022',
  locationName: 'London Bridge',
  department: 'Finance',
  title: 'Accountant',
}
const checked = (part: Partial<UserForm>, more: Partial<Checked> = {}): Checked => ({
  form: { ...complete, ...part },
  opened: null,
  sourced: false,
  siteRequired: false,
  isEditable: () => true,
  claims: [],
  isPhone: (number) => /^\+?\d{7,}$/.test(number),
  overrideReason: '',
  overrideUntil: '',
  ...more,
})
const found = (part: Partial<UserForm>, more: Partial<Checked> = {}) => Object.fromEntries(problemsOf(checked(part, more)))

test('a form with nothing in it says what each input wants, in the order of the form', () => {
  const empty = newForm({ tenantId: 't', connectorId: 't', siteId: null })
  expect([...problemsOf(checked(empty, { siteRequired: true }))]).toEqual([
    ['siteId', 'select'],
    ['externalId', 'enter'],
    ['givenName', 'enter'],
    ['familyName', 'enter'],
    ['preferredLanguage', 'select'],
    ['startDate', 'selectDate'],
    ['locationName', 'select'],
    ['department', 'select'],
    ['title', 'select'],
  ])
})

test('a complete form has no problem, without division and organization', () => {
  expect(found({})).toEqual({})
})

describe('what is required', () => {
  test.each([
    [{ accessCodeDelivery: 'none' }, {}],
    [{ accessCodeDelivery: 'sms.activation_portal' }, {}],
    [{ accessCodeDelivery: 'email.work' }, { email: 'enter' }],
    [{ accessCodeDelivery: 'email.personal', email: ' ' }, { email: 'enter' }],
    [{ accessCodeDelivery: 'sms.personal', email: 'a@b.example' }, { phoneNumber: 'enter' }],
    [{ managerReferenceType: 'email' }, { manager: 'enter' }],
    [{ managerReferenceType: 'externalId', manager: 'NW-2' }, {}],
    [{ approver: { value: '', referenceType: 'email' } }, {}],
    [{ givenName: '\u00a0\n' }, { givenName: 'enter' }],
  ] as [Partial<UserForm>, object][])('of %j is %j', (part, problems) => {
    expect(found(part)).toEqual(problems)
  })

  test('of somebody from a source is not what the source never gave, but what is taken away', () => {
    const opened = { ...complete, department: '' }
    expect(found({ department: '', title: '' }, { opened, sourced: true })).toEqual({ title: 'select' })
    expect(requiredUnits(checked({}, { opened, sourced: true })).has('department')).toBe(false)
  })

  test('of somebody from a source is where another delivery goes', () => {
    const opened = { ...complete, accessCodeDelivery: 'none', email: '' } as const
    expect(found({ accessCodeDelivery: 'email.personal' }, { opened, sourced: true })).toEqual({ email: 'enter' })
    expect(found({ accessCodeDelivery: 'sms.personal' }, { opened, sourced: true })).toEqual({ phoneNumber: 'enter' })
    const given = { ...opened, accessCodeDelivery: 'email.personal' } as const
    expect(found(given, { opened: given, sourced: true })).toEqual({})
  })

  test('is nothing that cannot be changed', () => {
    expect(found({ title: '' }, { isEditable: (unit) => unit !== 'title' })).toEqual({})
  })
})

describe('a value', () => {
  test.each([
    [{ startDate: '31/02/2024' }, { startDate: 'noDate' }],
    [{ startDate: '5/3/24' }, { startDate: 'askDate' }],
    [{ startDate: '05/03/2024' }, {}],
    [{ startDate: '2024-03-05' }, {}],
    [{ startDate: '25.3.24' }, {}],
    [{ dateOfBirth: 'soon' }, { dateOfBirth: 'noDate' }],
    [{ accessCodeDelivery: 'email.work', email: 'not an address' }, { email: 'email' }],
    [{ email: 'not shown' }, {}],
    [{ accessCodeDelivery: 'sms.personal', phoneNumber: '12' }, { phoneNumber: 'phone' }],
    [{ phoneNumber: '12' }, {}],
    [{ managerReferenceType: 'email', manager: 'NW-2' }, { manager: 'email' }],
    [{ leader: 'nobody' }, { leader: 'email' }],
    [{ timezone: 'Mars/Olympus' }, { timezone: 'timeZone' }],
    [{ timezone: ' Europe/Paris ' }, {}],
    [{ employeeIdPrefix: 'LON_é-' }, {}],
    [{ employeeIdPrefix: 'x'.repeat(30) }, { employeeIdPrefix: 'prefixTooLong' }],
    [{ employeeIdPrefix: 'NW#' }, { employeeIdPrefix: 'prefixCharacters' }],
    [{ givenName: 'a\0b' }, { givenName: 'characters' }],
    [{ familyName: '\ud800' }, { familyName: 'characters' }],
    [{ department: 'x'.repeat(251) }, { department: 'tooLong' }],
    [{ customField1: 'x'.repeat(1000) }, {}],
    [{ givenName: "Robert'); DROP TABLE users;-- <b>=1+1</b> 👩‍🚀 \u202e" }, {}],
  ] as [Partial<UserForm>, object][])('of %j is found fault with: %j', (part, problems) => {
    expect(found(part)).toEqual(problems)
  })

  test('that was not touched is found no fault with', () => {
    const opened = { ...complete, accessCodeDelivery: 'sms.personal', phoneNumber: '0123' } as const
    expect(found(opened, { opened })).toEqual({})
    expect(found({ ...opened, phoneNumber: '01' }, { opened })).toEqual({ phoneNumber: 'phone' })
  })

  test('of a security attribute follows its type', () => {
    const claims = [
      { id: 'a', type: 'numeric' },
      { id: 'b', type: 'date' },
      { id: 'c', type: 'text' },
    ] as const
    expect(found({ claimFields: { a: '12a', b: '31/02/2024', c: 'x' } }, { claims })).toEqual({ 'claim.a': 'number', 'claim.b': 'noDate' })
    expect(found({ claimFields: { a: '-12,5', b: '2024-02-29', c: '' } }, { claims })).toEqual({})
  })
})

test('the end of an override is a date, its reason is of bearable length', () => {
  expect(found({}, { overrideUntil: '5/3/24', overrideReason: 'x'.repeat(1001) })).toEqual({
    overrideReason: 'tooLong',
    overrideUntil: 'askDate',
  })
})
