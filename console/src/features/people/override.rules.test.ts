import { formOf } from '@instep/contract/user-form.ts'
import { describe, expect, test } from 'vitest'
import {
  isEditableUnit,
  isSourced,
  keptOverride,
  newOverrides,
  overrideOf,
  restoreUnit,
  sourceBeside,
  sourceForm,
} from './override.rules.ts'
import { noah, overridden } from './testing/noah.ts'

test('somebody whose site may be chosen has no source', () => {
  expect(isSourced(noah())).toBe(true)
  expect(isSourced(noah({ editable: ['siteId', 'department'] }))).toBe(false)
})

test('what cannot be overridden cannot be edited, and of two addresses only the one that the form shows', () => {
  expect(isEditableUnit(noah(), 'department', 'none')).toBe(true)
  expect(isEditableUnit(noah(), 'gender', 'none')).toBe(false)
  expect(isEditableUnit(noah(), 'claim.a', 'none')).toBe(true)
  expect(isEditableUnit(noah({ editable: ['workEmail'] }), 'email', 'email.personal')).toBe(false)
  expect(isEditableUnit(noah({ editable: ['workEmail'] }), 'email', 'email.work')).toBe(true)
})

describe("the source's own form", () => {
  test.each([
    ['department', 'Finance', { department: 'Finance' }],
    ['department', null, { department: '' }],
    ['startDate', '2020-01-31', { startDate: '31/01/2020' }],
    ['startDate', null, { startDate: '' }],
    ['active', false, { active: false }],
    ['personalEmail', 'old@home.example', { email: 'old@home.example' }],
    ['workEmail', 'old@work.example', { email: 'noah@home.example' }],
    ['claimFields', { a: '1' }, { claimFields: { a: '1' } }],
    ['accessCodeDelivery', 'email.work', { accessCodeDelivery: 'email.work', email: 'noah@work.example' }],
    ['accessCodeDelivery', null, { accessCodeDelivery: 'none' }],
    ['displayName', null, { displayName: 'Noah Kowalski' }],
  ] as const)('has %s as %j', (field, base, form) => {
    expect(sourceForm(noah({ overridden: [overridden(field, 'x', base)] }))).toMatchObject(form)
  })

  test('has a reference whole', () => {
    const both = [overridden('manager', 'NW-9', 'a@b.example'), overridden('managerReferenceType', 'externalId', 'email')]
    expect(sourceForm(noah({ overridden: both }))).toMatchObject({ manager: 'a@b.example', managerReferenceType: 'email' })
    const unsaid = [overridden('manager', 'NW-9', 'NW-2'), overridden('managerReferenceType', 'externalId', null)]
    expect(sourceForm(noah({ overridden: unsaid }))).toMatchObject({ manager: 'NW-2', managerReferenceType: 'externalId' })
    const none = [overridden('manager', 'NW-9', null), overridden('managerReferenceType', 'externalId', null)]
    expect(sourceForm(noah({ overridden: none }))).toMatchObject({ manager: '', managerReferenceType: null })
  })
})

test('beside a form that asks for the other address, the source gives that one', () => {
  const user = noah({ overridden: [overridden('accessCodeDelivery', 'email.personal', 'email.work')] })
  const source = sourceForm(user)
  expect(source.email).toBe('noah@work.example')
  expect(sourceBeside(formOf(user), source, user)).toMatchObject({ accessCodeDelivery: 'email.work', email: 'noah@home.example' })
  const said = noah({ overridden: [...user.overridden, overridden('personalEmail', 'noah@home.example', null)] })
  expect(sourceBeside(formOf(said), sourceForm(said), said).email).toBe('')
})

describe('an edit', () => {
  const user = noah()
  const opened = formOf(user)
  const source = sourceForm(user)

  test('that changes nothing overrides nothing, whatever is overridden already', () => {
    expect(newOverrides(opened, { opened, source })).toEqual([])
  })

  test('overrides what it changes, once for both halves of a reference', () => {
    const form = { ...opened, title: 'Driver', manager: 'NW-2', managerReferenceType: 'externalId' as const }
    expect(newOverrides(form, { opened, source })).toEqual(['title', 'manager'])
  })

  test("that writes the source's value overrides nothing", () => {
    expect(newOverrides({ ...opened, department: ' Finance' }, { opened, source })).toEqual([])
  })

  test('that activates somebody inactive is an override', () => {
    const away = formOf(noah({ active: false, overridden: [] }))
    expect(newOverrides({ ...away, active: true }, { opened: away, source: away })).toEqual(['active'])
  })

  test("restores the source's value of one field and leaves the others", () => {
    const form = { ...opened, title: 'Driver' }
    expect(restoreUnit(form, source, 'department')).toMatchObject({ department: 'Finance', title: 'Driver' })
    expect(restoreUnit(form, source, 'title')).toMatchObject({ department: 'Logistics', title: 'Accountant' })
  })

  test('is told who set what it finds', () => {
    expect(keptOverride(user, 'department')?.by).toBe('Saskia Brennan')
    expect(keptOverride(user, 'title')).toBeUndefined()
  })
})

test('of the security attributes only those are overridden that the override names', () => {
  const user = noah({ overridden: [overridden('claimFields', { a: '42', b: null }, {}), overridden('active', true, false)] })
  expect(['claimFields.a', 'claimFields.b', 'claimFields.c', 'active', 'title'].map((name) => overrideOf(user, name)?.field)).toEqual([
    'claimFields',
    'claimFields',
    undefined,
    'active',
    undefined,
  ])
})
