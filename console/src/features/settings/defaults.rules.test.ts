import { expect, test } from 'vitest'
import { changedFields, countingOf, inheritedOf, valuesToSave, withoutField, withText } from './defaults.rules.ts'

const tenant = {
  siteId: null,
  effective: [
    { field: 'department' as const, value: 'Retail', origin: 'tenant' as const },
    { field: 'preferredLanguage' as const, value: 'en-GB', origin: 'product' as const },
    { field: 'division' as const, value: null, origin: 'product' as const },
  ],
}
const site = { siteId: 's1', effective: [{ field: 'department' as const, value: 'Kitchen', origin: 'site' as const }] }

test('what the tenant has set hides what the product would say', () => {
  expect(inheritedOf('department', { own: tenant, tenant: undefined })).toBeUndefined()
})

test('a tenant inherits from the product, a site from the tenant with the origin that counts there', () => {
  expect(inheritedOf('preferredLanguage', { own: tenant, tenant: undefined })).toMatchObject({ value: 'en-GB', origin: 'product' })
  expect(inheritedOf('department', { own: site, tenant })).toMatchObject({ value: 'Retail', origin: 'tenant' })
  expect(inheritedOf('preferredLanguage', { own: site, tenant })).toMatchObject({ value: 'en-GB', origin: 'product' })
})

test('what is typed counts before what is inherited, even nothing', () => {
  const above = { own: 'site' as const, inherited: { value: 'Retail', origin: 'tenant' as const } }
  expect(countingOf({}, 'department', above)).toEqual({ value: 'Retail', origin: 'tenant' })
  expect(countingOf({ department: 'Kitchen' }, 'department', above)).toEqual({ value: 'Kitchen', origin: 'site' })
  expect(countingOf({ department: null }, 'department', above)).toEqual({ value: null, origin: 'site' })
})

test('an emptied field is set to nothing where something would be inherited, and inherits where nothing would', () => {
  const nothing = { value: null, origin: 'product' as const }
  expect(withText({ department: 'Kitchen' }, 'department', { text: ' ', inherited: { value: 'Retail', origin: 'tenant' } })).toEqual({
    department: null,
  })
  expect(withText({ department: 'Kitchen' }, 'department', { text: ' ', inherited: nothing })).toEqual({})
})

test('only changed fields differ from what is stored', () => {
  const stored = { department: 'Kitchen', division: null, title: 'Cook' }
  expect(changedFields({ ...stored, department: ' Kitchen ' }, stored)).toEqual([])
  const typed = withoutField({ ...stored, department: 'Bar ' }, 'title')
  expect(changedFields(typed, stored)).toEqual(['department', 'title'])
  expect(valuesToSave(typed, stored)).toEqual({ department: 'Bar', division: null })
})

test('a field set to nothing is sent as such', () => {
  expect(valuesToSave({ division: null }, {})).toEqual({ division: null })
})
