import { newForm, type UserForm } from '@instep/contract/user-form.ts'
import { expect, test } from 'vitest'
import { compareForms, mergedForm, otherChanges } from './merge.rules.ts'

const base: UserForm = {
  ...newForm({ tenantId: 't', connectorId: 'c', siteId: null }),
  department: 'Finance',
  title: 'Accountant',
  division: 'North',
}
const forms = (mine: Partial<UserForm>, theirs: Partial<UserForm>) => ({ base, mine: { ...base, ...mine }, theirs: { ...base, ...theirs } })
const units = (list: readonly { unit: string }[]) => list.map(({ unit }) => unit)

test('nothing is merged while a conflict is undecided', () => {
  const both = forms({ department: 'Logistics' }, { department: 'Kitchen' })
  expect(mergedForm(both, {})).toBeUndefined()
  expect(mergedForm(both, { department: 'mine' })?.department).toBe('Logistics')
  expect(mergedForm(both, { department: 'theirs' })?.department).toBe('Kitchen')
})

test('a conflict shows what it was, what is mine and what is theirs', () => {
  const { conflicts } = compareForms(forms({ department: 'Logistics' }, { department: 'Kitchen' }))
  expect(conflicts).toEqual([{ unit: 'department', base: 'Finance', mine: 'Logistics', theirs: 'Kitchen' }])
})

test('what only one of us changed goes together', () => {
  const both = forms({ title: 'Controller' }, { division: 'South' })
  const merge = compareForms(both)
  expect([units(merge.conflicts), units(merge.kept), units(merge.taken)]).toEqual([[], ['title'], ['division']])
  expect(mergedForm(both, {})).toMatchObject({ title: 'Controller', division: 'South', department: 'Finance' })
})

test('what both changed to the same is no conflict', () => {
  const both = forms({ title: 'Controller ' }, { title: 'Controller' })
  expect(compareForms(both).conflicts).toEqual([])
  expect(mergedForm(both, {})?.title).toBe('Controller')
})

test('a reference is one value: its halves never come from two people', () => {
  const both = forms({ manager: 'a@b.example', managerReferenceType: 'email' }, { manager: 'NW-2', managerReferenceType: 'externalId' })
  expect(units(compareForms(both).conflicts)).toEqual(['manager'])
  expect(mergedForm(both, { manager: 'theirs' })).toMatchObject({ manager: 'NW-2', managerReferenceType: 'externalId' })
  expect(mergedForm(both, { manager: 'mine' })).toMatchObject({ manager: 'a@b.example', managerReferenceType: 'email' })
})

test('security attributes are merged one by one', () => {
  const both = forms({ claimFields: { a: '1', b: '1' } }, { claimFields: { a: '2', c: '2' } })
  const merge = compareForms(both)
  expect([units(merge.conflicts), units(merge.kept), units(merge.taken)]).toEqual([['claim.a'], ['claim.b'], ['claim.c']])
  expect(mergedForm(both, { 'claim.a': 'mine' })?.claimFields).toEqual({ a: '1', b: '1', c: '2' })
})

test('a personal address does not become a work one because they changed the delivery', () => {
  const both = forms({ email: 'me@home.example' }, { accessCodeDelivery: 'email.work', email: 'me@work.example' })
  expect(mergedForm(both, { email: 'mine' })).toMatchObject({ accessCodeDelivery: 'email.work', email: 'me@work.example' })
})

test('a display name that follows the names by itself is neither taken nor fought over', () => {
  const named = { ...base, givenName: 'Noah', familyName: 'Kowalski', displayName: 'Noah Kowalski' }
  const theirs = { ...named, givenName: 'Noa', displayName: 'Noa Kowalski' }
  const merge = compareForms({ base: named, mine: { ...named, familyName: 'Nowak' }, theirs })
  expect([units(merge.conflicts), units(merge.kept), units(merge.taken)]).toEqual([[], ['familyName'], ['givenName']])
  expect(mergedForm({ base: named, mine: { ...named, familyName: 'Nowak' }, theirs }, {})).toMatchObject({
    givenName: 'Noa',
    familyName: 'Nowak',
  })
})

const change = (field: string, before: unknown, after: unknown) => ({ field, before, after, by: 'Saskia', at: '2026-11-01T08:00:00.000Z' })

test('what is no field of the form is told beside what is merged, and what both made the same', () => {
  const both = forms({ title: 'Controller', department: 'Logistics' }, { title: 'Controller', department: 'Kitchen', division: 'South' })
  const changes = [
    change('vip', false, true),
    change('title', 'Accountant', 'Controller'),
    change('department', 'Finance', 'Kitchen'),
    change('division', 'North', 'South'),
    change('locked', false, true),
    change('locked', true, false),
    change('title.until', null, '2026-12-31'),
    change('displayName', ' ', 'Ada Byron'),
  ]
  expect(otherChanges(changes, both).map(({ field }) => field)).toEqual(['vip', 'title', 'locked', 'locked', 'title.until', 'displayName'])
})

test('a display name that follows the names is no change of its own', () => {
  const both = forms({}, { familyName: 'Byron', givenName: 'Ada', displayName: 'Ada Byron' })
  expect(otherChanges([change('familyName', '', 'Byron'), change('displayName', ' ', 'Ada Byron')], both)).toEqual([])
})
