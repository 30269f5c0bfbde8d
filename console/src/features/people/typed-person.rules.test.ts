import { newForm } from '@instep/contract/user-form.ts'
import { describe, expect, test } from 'vitest'
import { noah, overridden } from './testing/noah.ts'
import {
  departmentToCheck,
  inputFor,
  isDirty,
  openRenewals,
  pendingOverrides,
  type TypedPerson,
  tidyClaimDate,
  tidyDate,
  typedNew,
  typedOf,
  withoutRenewal,
  withRenewal,
  withTidyDates,
  withTitleChecked,
} from './typed-person.rules.ts'

const place = { tenantId: 't', connectorId: 't', siteId: 's' }
const none = { overrides: false, claims: [], phone: null }
const fresh = typedNew(place, { effective: [{ field: 'phoneCountry', value: 'FR', origin: 'tenant' }], prefix: 'LON-' })
const typed = (form: Partial<TypedPerson['form']>, more: Partial<TypedPerson> = {}): TypedPerson => ({
  ...fresh,
  ...more,
  form: { ...fresh.form, ...form },
})

test('a new form with its defaults has nothing to lose, until something is typed', () => {
  expect(isDirty(fresh)).toBe(false)
  expect(fresh.phoneCountry).toBe('FR')
  expect(isDirty(typed({ givenName: 'N' }))).toBe(true)
  expect(isDirty(typed({}, { overrideReason: 'why' }))).toBe(true)
})

test('a country that the picker does not have gives way to the first', () => {
  expect(typedNew(place, { effective: [{ field: 'phoneCountry', value: 'PT', origin: 'site' }], prefix: '' }).phoneCountry).toBe('GB')
})

test('an edit asks nothing of a number or an address that the delivery no longer shows', () => {
  const { opened, ...edited } = typedOf(noah())
  const form = { ...opened, accessCodeDelivery: 'none' as const, email: 'nonsense', phoneNumber: '12' }
  expect(inputFor({ ...edited, opened, form }, none)).toEqual({ extension: { accessCodeDelivery: 'none' } })
})

test('another delivery sets nothing over the address that the source gives it', () => {
  const user = noah({ extension: { ...noah().extension, accessCodeDelivery: 'email.work' } })
  const edited = typedOf(user)
  const form = { ...edited.form, accessCodeDelivery: 'email.personal' as const, email: 'noah@home.example' }
  expect(pendingOverrides({ ...edited, form })).toEqual(['accessCodeDelivery'])
  expect(pendingOverrides({ ...edited, form: { ...form, email: 'n@home.example' } })).toEqual(['accessCodeDelivery', 'email'])
})

describe('a position', () => {
  const moved = typed({ department: 'Engineering', title: 'Barista' }, { titleFor: 'Kitchen' })

  test('is held against a department once it is another one, and not where one of the two is missing', () => {
    expect(departmentToCheck(moved)).toBe('Engineering')
    expect(departmentToCheck({ ...moved, titleFor: 'Engineering ' })).toBe(null)
    expect(departmentToCheck({ ...moved, form: { ...moved.form, title: ' ' } })).toBe(null)
    expect(departmentToCheck({ ...moved, form: { ...moved.form, department: '' } })).toBe(null)
  })

  test('that the department does not use is cleared, and the form says for which; one that it uses stays', () => {
    expect(withTitleChecked(moved, [{ value: 'Engineer' }])).toMatchObject({
      form: { title: '' },
      clearedFor: 'Engineering',
      titleFor: 'Engineering',
    })
    expect(withTitleChecked(moved, [{ value: 'Barista' }])).toMatchObject({
      form: { title: 'Barista' },
      clearedFor: null,
      titleFor: 'Engineering',
    })
  })
})

describe('dates', () => {
  test.each([
    ['', ''],
    ['soon', 'soon'],
    ['31/02/2024', '31/02/2024'],
    ['5/3/24', '5/3/24'],
    ['25.3.24', '25/03/2024'],
    ['25 March 49', '25/03/2049'],
    ['25 March 50', '25/03/1950'],
    ['2024-03-05', '05/03/2024'],
  ])('%j is written %j', (text, written) => {
    expect(tidyDate(text)).toBe(written)
  })

  test('of a security attribute are kept year first', () => {
    expect(tidyClaimDate('25.3.24')).toBe('2024-03-25')
    expect(tidyClaimDate('')).toBe('')
    const form = { ...newForm(place), startDate: '25.3.24', claimFields: { a: '25.3.24', b: '25.3.24' } }
    const claims = [
      { id: 'a', type: 'date' },
      { id: 'b', type: 'text' },
    ] as const
    expect(withTidyDates(form, claims)).toMatchObject({ startDate: '25/03/2024', claimFields: { a: '2024-03-25', b: '25.3.24' } })
  })
})

describe('what is asked of the server', () => {
  test('has the prefix in front of the id, the start date year first, and somebody active', () => {
    const input = inputFor(typed({ externalId: ' 17 ', startDate: '25.3.24' }), none)
    expect(input).toMatchObject({ externalId: 'LON-17', startDate: '2024-03-25', active: true, siteId: 's' })
  })

  test('has the number as E.164 where it could be read, else with the prefix of its country', () => {
    const form = { accessCodeDelivery: 'sms.personal', phoneNumber: '06 12 34 56 78' } as const
    const value = '+33612345678'
    expect(inputFor(typed(form), { ...none, phone: value }).phoneNumbers).toEqual([{ value, type: 'personal' }])
    expect(inputFor(typed(form), none).phoneNumbers).toEqual([{ value, type: 'personal' }])
  })

  test('has no address that the form does not show', () => {
    expect(inputFor(typed({ accessCodeDelivery: 'none', email: 'me@home.example' }), none).emails).toEqual([])
  })
})

describe('an override that keeps its value', () => {
  const held = { ...overridden('department', 'Logistics', 'Finance'), reason: 'Stands in', until: '2026-12-31' }
  const opened = typedOf(noah({ overridden: [held, overridden('title', 'Accountant', 'Clerk')] }))
  const open = withRenewal(opened, 'department')

  test('opens with its reason and last day, and has nothing to lose until one of them is another', () => {
    expect(open).toMatchObject({ overrideReason: 'Stands in', overrideUntil: '31/12/2026', renewed: ['department'] })
    expect([isDirty(open), inputFor(open, none)]).toEqual([false, {}])
    expect(isDirty({ ...open, overrideUntil: '31.12.26' })).toBe(false)
    expect(isDirty({ ...open, overrideUntil: '' })).toBe(true)
    expect(withRenewal(opened, 'division')).toBe(opened)
    expect(withRenewal({ ...opened, overrideReason: 'Mine' }, 'department').overrideReason).toBe('Mine')
  })

  test('is asked to take them, without its value; what is empty is cleared', () => {
    expect(inputFor({ ...open, overrideUntil: '31.1.27' }, none)).toEqual({
      renewedOverrides: ['department'],
      overrideReason: 'Stands in',
      overrideUntil: '2027-01-31',
    })
    expect(inputFor({ ...open, overrideReason: ' ', overrideUntil: '' }, { ...none, overrides: true })).toEqual({
      renewedOverrides: ['department'],
      overrideReason: null,
      overrideUntil: null,
    })
  })

  test('shares them with others; those that have them already are not asked', () => {
    const both = withRenewal(open, 'title')
    expect(inputFor(both, none)).toMatchObject({ renewedOverrides: ['title'], overrideReason: 'Stands in' })
  })

  test('is no renewal any more once its value is another', () => {
    const changed = { ...open, form: { ...open.form, department: 'Kitchen' } }
    expect(openRenewals(changed)).toEqual([])
    expect(inputFor(changed, { ...none, overrides: true })).toMatchObject({ overrideReason: 'Stands in', overrideUntil: '2026-12-31' })
  })

  test('is left as it is: what was not typed goes, what was typed stays', () => {
    expect(withoutRenewal(open, 'department')).toEqual(opened)
    expect(withoutRenewal({ ...open, overrideReason: 'Mine' }, 'department')).toMatchObject({ renewed: [], overrideReason: 'Mine' })
  })
})
