/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { type Condition, conditionFieldNames, OPERATORS, TIME_SCALES } from '@instep/contract/conditions.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { describe, expect, test } from 'vitest'
import { asSentence, describeCondition, removableParts, type SentenceWords, sentenceText, withoutPart } from './describe-condition.ts'

const words: SentenceWords = {
  phrase: (field, operator) =>
    operator === 'isEmpty' || operator === 'isNotEmpty'
      ? { before: `${field} ${operator === 'isEmpty' ? 'is' : 'is not'} empty`, after: '' }
      : { before: `${field} ${operator} `, after: operator === 'moreThanAgo' ? ' ago' : '' },
  flag: (field, value) => `${field} is ${value ? 'on' : 'off'}`,
  value: ({ value }) => (Array.isArray(value) ? value.join(' or ') : JSON.stringify(value).replaceAll('"', '')),
  and: 'and',
  or: 'or',
  not: 'not',
}
const said = (condition: Condition): string => sentenceText(describeCondition(condition, words))

const kitchen: Condition = { field: 'department', operator: 'equals', value: 'Kitchen' }
const chef: Condition = { field: 'title', operator: 'equals', value: 'Chef' }
const london: Condition = { field: 'locationName', operator: 'in', value: ['London', 'Leeds'] }
const vip: Condition = { field: 'vip', operator: 'is', value: true }

describe('a condition in words', () => {
  test.each<[Condition, string]>([
    [kitchen, 'department equals Kitchen'],
    [london, 'locationName in London or Leeds'],
    [vip, 'vip is on'],
    [{ field: 'title', operator: 'isEmpty' }, 'title is empty'],
    [
      { field: 'startDate', operator: 'moreThanAgo', value: { number: 2, scale: 'year' } },
      'startDate moreThanAgo {number:2,scale:year} ago',
    ],
    [{ all: [kitchen, chef] }, 'department equals Kitchen and title equals Chef'],
    [{ all: [kitchen, { any: [chef, london] }] }, 'department equals Kitchen and (title equals Chef or locationName in London or Leeds)'],
    [{ any: [kitchen] }, 'department equals Kitchen'],
    [{ not: kitchen }, 'department notEquals Kitchen'],
    [{ not: vip }, 'vip is off'],
    [{ not: { not: kitchen } }, 'department equals Kitchen'],
    [{ not: { any: [kitchen, chef] } }, 'not (department equals Kitchen or title equals Chef)'],
    [{ not: { field: 'title', operator: 'startsWith', value: 'Chef' } }, 'not (title startsWith Chef)'],
    [{ all: [kitchen, { not: chef }] }, 'department equals Kitchen and title notEquals Chef'],
  ])('%o', (condition, sentence) => {
    expect(said(condition)).toBe(sentence)
  })

  test('marks its values and nothing else', () => {
    const parts = describeCondition({ all: [kitchen, vip, { field: 'title', operator: 'isNotEmpty' }] }, words)
    expect(parts.filter(({ isValue }) => isValue)).toEqual([{ text: 'Kitchen', isValue: true }])
  })

  test('begins with a capital where it stands alone', () => {
    expect(sentenceText(asSentence(describeCondition(kitchen, words), 'en-GB'))).toBe('Department equals Kitchen')
  })
})

describe('taking conditions away', () => {
  test('leaves the others, one alone without its group, and nothing after the last', () => {
    const all: Condition = { all: [kitchen, chef, vip] }
    expect(removableParts(all)).toHaveLength(3)
    expect(withoutPart(all, 1)).toEqual({ all: [kitchen, vip] })
    expect(withoutPart({ all: [kitchen, chef] }, 0)).toEqual(chef)
    expect(withoutPart({ all: [kitchen] }, 0)).toBeNull()
  })

  test('takes anything but an outermost "all" away as a whole', () => {
    expect(removableParts({ any: [kitchen, chef] })).toHaveLength(1)
    expect(withoutPart({ any: [kitchen, chef] }, 0)).toBeNull()
  })
})

describe.each(['en_GB', 'fr_FR'])('the words in %s', (locale) => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(`../../locales/${locale}/${name}.json`, import.meta.url), 'utf8'))
  const { fields, operators, phrase, flag, scales } = read('conditions')
  const formFields = read('people').fields

  test('name every field, operator and scale', () => {
    const own = conditionFieldNames.filter((field) => !(userFieldNames as readonly string[]).includes(field))
    expect(Object.keys(fields).sort()).toEqual([...own].sort())
    for (const field of userFieldNames) expect(formFields[field], field).toBeTruthy()
    const every = [...new Set(Object.values(OPERATORS).flat())].sort()
    expect(Object.keys(operators).sort()).toEqual(every)
    expect(Object.keys(phrase).sort()).toEqual(every)
    expect(Object.keys(flag).sort()).toEqual(['active', 'locked', 'overridden', 'vip'])
    expect(Object.keys(scales).sort()).toEqual([...TIME_SCALES].sort())
  })
})
