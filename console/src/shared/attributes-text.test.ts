import { expect, test } from 'vitest'
import { formatDate } from '../i18n/format.ts'
import { attributesText } from './attributes-text.ts'

const words = {
  attributes: [
    { id: 'a', displayName: 'Shoe size', type: 'numeric' },
    { id: 'b', displayName: 'Badge day', type: 'date' },
  ] as const,
  date: formatDate,
}

test.each([
  [{}, null],
  [{ a: '42', b: '2024-02-29' }, 'Shoe size: 42, Badge day: 29/02/2024'],
  [{ a: null, b: 'soon', gone: 'x' }, 'Shoe size: –, Badge day: soon, x'],
])('%j reads %s', (values, text) => expect(attributesText(values, words)).toBe(text))
