import { expect, it } from 'vitest'
import { fieldTexts, problemText, problemWords } from './problem-text.ts'

it.each([
  [undefined, 'Please enter a name'],
  ['fr-FR', 'Veuillez saisir un nom'],
  ['de, fr;q=0.8, en;q=0.5', 'Veuillez saisir un nom'],
  ['fr_CA', 'Veuillez saisir un nom'],
  ['en, fr;q=0.5', 'Please enter a name'],
  ['fr;q=0, de', 'Please enter a name'],
  ['*', 'Please enter a name'],
  ['constructor;;q=x,\u0000', 'Please enter a name'],
])('a caller who accepts %j is told in their language', (header, text) => {
  expect(fieldTexts(problemWords(header), { name: ['enterName'] })).toEqual({ name: [text] })
})

it('fills the words with what they are told, to the letter', () => {
  const words = problemWords('fr')
  const fields = {
    title: [{ code: 'fromSource', params: { source: '$& {{source}}' } }],
    limit: [{ code: 'atMost', params: { limit: '7' } }],
  } as const
  expect(fieldTexts(words, fields)).toEqual({
    title: ['Provient de $& {{source}} et ne peut pas être modifié ici.'],
    limit: ['Au plus 7.'],
  })
  expect(problemText(words, 'NOT_FOUND')).not.toBe(problemText(problemWords('en'), 'NOT_FOUND'))
})
