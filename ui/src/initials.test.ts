import { expect, test } from 'vitest'
import { initials } from './initials.ts'

test.each([
  ['', '?'],
  ['   ', '?'],
  ['Zoë', 'Z'],
  ['Noah Kowalski', 'NK'],
  ['Ana María de la Cruz', 'AC'],
  ['école Ümit', 'ÉÜ'],
  ['𝒜lice 𝓑ob', '𝒜𝓑'],
])('the initials of "%s" are %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
