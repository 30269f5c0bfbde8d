import { readField } from '@instep/contract/field-values.ts'
import english from '@instep/contract/locales/en_GB/fields.json' with { type: 'json' }
import french from '@instep/contract/locales/fr_FR/fields.json' with { type: 'json' }
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { expect, it } from 'vitest'
import { wrongMessages } from './field-words.ts'

it('both languages have words for everything that can be wrong, with the same placeholders', () => {
  expect(Object.keys(french)).toEqual(Object.keys(english))
  const placeholders = (words: string) => words.match(/\{\{\w+\}\}/g)
  expect(Object.values(french).map(placeholders)).toEqual(Object.values(english).map(placeholders))
})

it('has words for whatever a reader finds', () => {
  const found = userFieldNames.flatMap((field) =>
    ['?', 'x'.repeat(5000)].flatMap((text) => {
      const read = readField(field, text, 'YMD')
      return 'wrong' in read ? [read.wrong] : []
    }),
  )
  expect(new Set(found)).toEqual(new Set(['tooLong', 'email', 'phone', 'language', 'date', 'delivery', 'referenceType']))
  for (const code of [...found, 'characters', 'required']) expect(english).toHaveProperty(code)
})

it('names the source as it is called', () => {
  expect(wrongMessages({ userType: 'fromSource' }, '$& HR')).toEqual({
    userType: [{ code: 'fromSource', params: { source: '$& HR' } }],
  })
})
