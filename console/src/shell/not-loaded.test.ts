import { expect, test } from 'vitest'
import { isNotLoaded } from './not-loaded.ts'

test.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/person-drawer-1.js',
  'error loading dynamically imported module: http://localhost/assets/person-drawer-1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/person-drawer-1.css',
])('%j says that a part of the console could not be fetched', (message) => {
  expect(isNotLoaded(new TypeError(message))).toBe(true)
})

test('any other failure is one of the console', () => {
  expect(isNotLoaded(new TypeError("Cannot read properties of undefined (reading 'id')"))).toBe(false)
  expect(isNotLoaded('Unable to preload CSS')).toBe(false)
})
