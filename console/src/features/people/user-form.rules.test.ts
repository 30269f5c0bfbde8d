import { newForm, type UserForm } from '@instep/contract/user-form.ts'
import { describe, expect, test } from 'vitest'
import {
  accountTypeOf,
  contactOf,
  isAllowedTitle,
  withAccountType,
  withAllowedTitle,
  withApproverType,
  withDefaults,
  withDelivery,
  withManagerType,
  withoutHiddenContact,
} from './user-form.rules.ts'

const empty = newForm({ tenantId: 't', connectorId: 't', siteId: null })
const form = (part: Partial<UserForm>): UserForm => ({ ...empty, ...part })

describe('a position', () => {
  const allowed = [{ value: 'Accountant' }, { value: 'Controller' }]

  test.each([
    ['Driver', true],
    ['accountant', true],
    ['Accountant', false],
    [' Controller ', false],
    ['', false],
  ])('%j is cleared by a department that uses Accountant and Controller: %s', (title, cleared) => {
    const after = withAllowedTitle(form({ title, department: 'Finance' }), allowed)
    expect(after.cleared).toBe(cleared)
    expect(after.form.title).toBe(cleared ? '' : title)
    expect(after.form.department).toBe('Finance')
    expect(isAllowedTitle(title, allowed)).toBe(!cleared)
  })

  test('is cleared by a department that uses none', () => {
    expect(withAllowedTitle(form({ title: 'Driver' }), []).cleared).toBe(true)
  })
})

describe('a reference to somebody', () => {
  test('loses its value when it is to be read in another way', () => {
    const named = form({ manager: 'a@b.example', managerReferenceType: 'email' })
    expect(withManagerType(named, 'externalId')).toMatchObject({ manager: '', managerReferenceType: 'externalId' })
    expect(withManagerType(named, null)).toMatchObject({ manager: '', managerReferenceType: null })
    expect(withManagerType(named, 'email')).toBe(named)
    const approved = form({ approver: { value: 'NW-1', referenceType: 'externalId' } })
    expect(withApproverType(approved, 'email').approver).toEqual({ value: '', referenceType: 'email' })
    expect(withApproverType(approved, 'externalId')).toBe(approved)
  })
})

describe('the delivery', () => {
  test.each([
    ['none', 'accessCode', null],
    ['email.personal', 'accessCode', 'email'],
    ['sms.personal', 'accessCode', 'phoneNumber'],
    ['sms.activation_portal', 'accessCode', null],
    ['email.work', 'workEmail', 'email'],
  ] as const)('%s is one of %s and asks for %s', (accessCodeDelivery, type, contact) => {
    expect(accountTypeOf(form({ accessCodeDelivery }))).toBe(type)
    expect(contactOf({ accessCodeDelivery })).toBe(contact)
  })

  test('takes an address typed as a personal one for no work one', () => {
    const typed = form({ accessCodeDelivery: 'email.personal', email: 'me@home.example' })
    expect(withAccountType(typed, 'workEmail')).toMatchObject({ accessCodeDelivery: 'email.work', email: '' })
    expect(withAccountType(typed, 'accessCode')).toBe(typed)
    expect(withDelivery(typed, 'sms.personal', null).email).toBe('me@home.example')
  })

  test('saves nothing that its inputs no longer show', () => {
    const typed = form({ accessCodeDelivery: 'sms.personal', email: 'me@home.example', phoneNumber: '07911 123456' })
    expect(withoutHiddenContact(typed, null)).toMatchObject({ email: '', phoneNumber: '07911 123456' })
    expect(withoutHiddenContact({ ...typed, accessCodeDelivery: 'none' }, null)).toMatchObject({ email: '', phoneNumber: '' })
  })
})

describe('defaults', () => {
  const effective = [
    { field: 'department', value: 'Logistics', origin: 'site' },
    { field: 'preferredLanguage', value: 'fr-FR', origin: 'tenant' },
    { field: 'accessCodeDelivery', value: 'sms.personal', origin: 'site' },
    { field: 'division', value: null, origin: 'site' },
  ] as const

  test('leave alone what was typed', () => {
    const filled = withDefaults(form({ department: 'Finance', accessCodeDelivery: 'email.personal' }), [...effective])
    expect(filled).toMatchObject({ department: 'Finance', preferredLanguage: 'fr-FR', accessCodeDelivery: 'email.personal', division: '' })
  })

  test('of another site take the place of those of before', () => {
    const first = withDefaults(empty, [...effective])
    expect(first).toMatchObject({ department: 'Logistics', accessCodeDelivery: 'sms.personal' })
    const typed = { ...first, preferredLanguage: 'de-DE' }
    const second = withDefaults(typed, [{ field: 'department', value: 'Kitchen', origin: 'site' }], [...effective])
    expect(second).toMatchObject({ department: 'Kitchen', preferredLanguage: 'de-DE', accessCodeDelivery: 'none' })
  })

  test('fill in the time zone as well', () => {
    expect(withDefaults(empty, [{ field: 'timezone', value: 'Europe/Paris', origin: 'tenant' }]).timezone).toBe('Europe/Paris')
  })
})
