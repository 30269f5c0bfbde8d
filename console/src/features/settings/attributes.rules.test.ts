import type { ClaimField } from '@instep/contract/settings.ts'
import { expect, test } from 'vitest'
import { isFull, withAttribute, withoutAttribute } from './attributes.rules.ts'

const field = (id: string, enabled = false): ClaimField => ({
  id,
  displayName: id.toUpperCase(),
  description: '',
  type: 'text',
  enabled,
  isDefault: false,
  field: null,
})
const fields = [field('a', true), field('b'), field('c', true)]

test('a fourth attribute cannot be switched on', () => {
  expect(isFull(fields)).toBe(false)
  expect(isFull([...fields, field('d', true)])).toBe(true)
})

test('a changed attribute stands where it stood, and the others go back as they came', () => {
  const sent = withAttribute(fields, { id: 'b', displayName: 'Badge', description: 'On the card', type: 'numeric', enabled: true })
  expect(sent.map(({ displayName }) => displayName)).toEqual(['A', 'Badge', 'C'])
  expect(sent[0]).toEqual({ id: 'a', displayName: 'A', description: '', type: 'text', enabled: true })
})

test('a new attribute goes to the end', () => {
  expect(withAttribute(fields, { displayName: 'New', description: '', type: 'date', enabled: false }).at(-1)).toMatchObject({
    displayName: 'New',
  })
})

test('a removed attribute is left out', () => {
  expect(withoutAttribute(fields, 'b').map(({ id }) => id)).toEqual(['a', 'c'])
})
