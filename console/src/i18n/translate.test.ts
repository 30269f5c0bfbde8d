import { describe, expect, test } from 'vitest'
import { fill, findText, type Words } from './translate.ts'

const WORDS: Words = {
  save: 'Save',
  nav: { people: 'People', deep: { down: 'Down' } },
  'user.created': 'Created',
  problem: { 'a.b': 'Both' },
  rows_one: 'one row',
  rows_other: 'rows',
  steps_zero: 'no steps',
  steps_one: 'a step',
  steps_other: 'steps',
}

describe('a key', () => {
  test.each(['nothing', 'nav', 'nav.nothing', 'nav.people.more', 'save.more', 'constructor', '__proto__.x', '', '.'])(
    'that names no text, "%s", finds none',
    (key) => {
      expect(findText({ words: WORDS, language: 'en-GB' }, key)).toBeUndefined()
    },
  )

  test.each([
    ['save', 'Save'],
    ['nav.people', 'People'],
    ['nav.deep.down', 'Down'],
    ['user.created', 'Created'],
    ['problem.a.b', 'Both'],
  ])('%s finds its text in its group, or whole where it has dots itself', (key, text) => {
    expect(findText({ words: WORDS, language: 'en-GB' }, key)).toBe(text)
  })
})

describe('a count', () => {
  test.each([
    ['rows', 'en-GB', 0, 'rows'],
    ['rows', 'en-GB', 1, 'one row'],
    ['rows', 'fr-FR', 0, 'one row'],
    ['rows', 'en-GB', 2, 'rows'],
    ['steps', 'en-GB', 0, 'no steps'],
    ['steps', 'fr-FR', 0, 'no steps'],
    ['save', 'en-GB', 3, 'Save'],
  ])('of %s in %s that is %d chooses "%s"', (...[key, language, count, text]) => {
    expect(findText({ words: WORDS, language }, key, count)).toBe(text)
  })
})

describe('filling', () => {
  test('puts values in, and leaves empty what is not given', () => {
    expect(fill('{{count}} of {{ most }}, {{none}}.', { count: 0, most: 12 })).toBe('0 of 12, .')
  })

  test('never reads a value as a placeholder or a pattern', () => {
    expect(fill('{{name}}', { name: '{{secret}} $& $1', secret: 'x' })).toBe('{{secret}} $& $1')
  })
})
