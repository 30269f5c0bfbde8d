import { describe, expect, it } from 'vitest'
import { flattenRecord } from './flatten-record.ts'
import { parsePath, valueAt } from './json-path.ts'

const flat = (record: Record<string, unknown>) => Object.fromEntries(flattenRecord(record))

describe('a record as columns', () => {
  it('dots objects, joins lists of values, and empties what is null', () => {
    expect(flat({ id: 7, name: { givenName: 'Zoé', middle: null }, tags: ['a', null, true], none: [], nothing: {} })).toEqual({
      id: '7',
      'name.givenName': 'Zoé',
      'name.middle': '',
      tags: 'a; true',
      none: '',
      nothing: '',
    })
  })

  it('names the elements of a list by their type, or by their place', () => {
    const emails = [{ type: 'work', value: 'a@x' }, { type: 'home office', value: 'b@x' }, { type: 'work', value: 'c@x' }, { value: 'd@x' }]
    expect(Object.keys(flat({ emails })).filter((name) => name.endsWith('value'))).toEqual([
      'emails[type=work].value',
      'emails[type=home office].value',
      'emails[2].value',
      'emails[3].value',
    ])
  })

  it('quotes names that would be read as a path', () => {
    expect(Object.keys(flat({ 'a.b': 1, a: { b: 2 }, '': 3, 'a  b': 4, '"': 5, 'a[0]': 6 }))).toEqual([
      '"a.b"',
      'a.b',
      '""',
      '"a\\u0020\\u0020b"',
      '"\\""',
      '"a[0]"',
    ])
  })
})

describe('a path', () => {
  it.each([
    ['', { a: 1 }, { a: 1 }],
    ['data.people', { data: { people: [1] } }, [1]],
    ['[1].x', [0, { x: 5 }], 5],
    ['result[0][1]', { result: [[1, 2]] }, 2],
    ['"@odata.nextLink"', { '@odata.nextLink': 'u' }, 'u'],
    ['a."b\\"c".d', { a: { 'b"c': { d: 1 } } }, 1],
    ['a b', { 'a b': 1 }, 1],
    ['toString', {}, undefined],
    ['a.length', { a: [1] }, undefined],
    ['a[0]', { a: { 0: 1 } }, undefined],
    ['a.b', { a: null }, undefined],
  ])('%j', (path, value, found) => {
    expect(valueAt(value, parsePath(path) ?? ['not parsed'])).toEqual(found)
  })

  it.each(['.a', 'a.', 'a..b', '$..x', 'a[*]', 'a[-1]', 'a[?(@.b)]', '"a', 'a"b"', '[0]x'])('%j is none', (path) => {
    expect(parsePath(path)).toBeUndefined()
  })
})
