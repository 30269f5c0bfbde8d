import { describe, expect, it } from 'vitest'
import { columnsOf, hasSource, mapField, mappingGaps, readMapped } from './mapped-field.ts'
import { type FieldMapping, Mapping } from './sync.ts'
import type { UserFieldName } from './user-fields.ts'

const HEADER = ['name', 'code', 'city']
const places = new Map(HEADER.map((name, index) => [name, index]))

const read = (field: UserFieldName, from: FieldMapping, ...cells: string[]) => {
  const mapped = mapField(field, from, places)
  if ('lost' in mapped) throw new Error(`lost ${mapped.lost.join()}`)
  return readMapped(cells, mapped)
}

describe('a mapping lacks', () => {
  const named = { externalId: { column: 'code' }, givenName: { column: 'name' }, familyName: { column: 'name' } }
  it.each<[string, FieldMapping, string]>([
    ['a column where neither a column nor a step brings anything', { transforms: [{ kind: 'trim' }] }, 'column'],
    ['a date format, also for a constant', { transforms: [{ kind: 'constant', text: '2026-01-01' }] }, 'dateFormat'],
    ['a constant that the field takes', { dateFormat: 'DMY', transforms: [{ kind: 'constant', text: 'soon' }] }, 'text'],
    ['a default that the field takes', { column: 'city', dateFormat: 'DMY', whenEmpty: { policy: 'default', text: '31/02/2024' } }, 'text'],
    ['a text that is not typed yet', { column: 'city', dateFormat: 'DMY', transforms: [{ kind: 'replace', find: '', with: '' }] }, 'text'],
  ])('%s', (_, startDate, gap) => {
    expect(mappingGaps({ fields: { ...named, startDate } })).toEqual([{ field: 'startDate', gap }])
  })

  it('nothing with what was stored before there were transforms', () => {
    const stored = { fields: { ...named, title: { column: 'city', values: { a: 'b' } } } }
    expect(Mapping.parse(stored)).toEqual(stored)
    expect(mappingGaps(stored)).toEqual([])
  })
})

describe('a field', () => {
  it('is lost with any of its columns', () => {
    const from: FieldMapping = {
      column: 'name',
      transforms: [{ kind: 'concat', parts: [{ from: 'value' }, { from: 'column', column: 'gone' }], separator: ' ' }],
    }
    expect(columnsOf(from)).toEqual(['name', 'gone'])
    expect(mapField('title', from, places)).toEqual({ lost: ['gone'] })
  })

  it('is made of the columns that an expression is given, and lost with one of them', () => {
    const from = (columns: string[]): FieldMapping => ({ transforms: [{ kind: 'expression', text: '$', columns }] })
    expect(columnsOf(from(['city', 'name']))).toEqual(['city', 'name'])
    expect(hasSource(from([]))).toBe(true)
    expect(mapField('title', from(['city', 'gone']), places)).toEqual({ lost: ['gone'] })
  })

  it('translates its values before its steps', () => {
    const from: FieldMapping = { column: 'name', values: { A: 'ada byron' }, transforms: [{ kind: 'case', to: 'title' }] }
    expect(read('title', from, ' A ')).toEqual({ value: 'Ada Byron' })
  })

  it('reads a date after its steps', () => {
    const from: FieldMapping = {
      column: 'name',
      dateFormat: 'DMY',
      transforms: [{ kind: 'split', separator: ' ', part: 2, end: 'start' }],
    }
    expect(read('startDate', from, 'from 29/02/2024 on')).toEqual({ value: '2024-02-29' })
    expect(read('startDate', from, 'from 31/02/2024 on')).toEqual({ wrong: 'date', text: '31/02/2024' })
  })

  it('refuses characters that no text has, with steps as without', () => {
    const steps: FieldMapping = { column: 'name', transforms: [{ kind: 'trim' }] }
    for (const from of [{ column: 'name' }, steps])
      for (const cell of ['a\0b', 'a\ud83d']) expect(read('title', from, cell)).toEqual({ wrong: 'characters' })
  })

  it.each(['#N/A', ' #ref! ', '#VALEUR!', '#NV'])(
    'takes the error %j of a spreadsheet neither for a value nor for an empty cell',
    (cell) => {
      const steps: FieldMapping = { column: 'name', transforms: [{ kind: 'trim' }] }
      const kept: FieldMapping = { column: 'name', whenEmpty: { policy: 'keep' } }
      for (const from of [{ column: 'name' }, steps, kept]) expect(read('title', from, cell)).toMatchObject({ wrong: 'sheetError' })
      expect(read('title', { column: 'name', values: { [cell.trim()]: '' } }, cell)).toEqual({ value: null })
    },
  )

  it.each(['#1', 'N/A', '#N/A or more', '#'])('takes %j as it is', (cell) => {
    expect(read('title', { column: 'name' }, cell)).toEqual({ value: cell })
  })

  it.each<[string, FieldMapping['whenEmpty'], unknown]>([
    ['clears when nothing is said', undefined, { value: null }],
    ['clears when told to', { policy: 'clear' }, { value: null }],
    ['says nothing when it is to be kept', { policy: 'keep' }, undefined],
    ['takes the default', { policy: 'default', text: ' Clerk ' }, { value: 'Clerk' }],
  ])('that is empty %s', (_, whenEmpty, said) => {
    const from: FieldMapping = { column: 'name', ...(whenEmpty ? { whenEmpty } : {}) }
    const emptied: FieldMapping = { ...from, transforms: [{ kind: 'lookup', values: { '-': '' }, others: 'keep' }] }
    expect(read('title', from, '  ')).toEqual(said)
    expect(read('title', from, '')).toEqual(said)
    expect(read('title', emptied, '-')).toEqual(said)
  })

  it('that a person cannot be without is never kept empty', () => {
    expect(read('givenName', { column: 'name', whenEmpty: { policy: 'keep' } }, '')).toEqual({ value: null })
  })
})
