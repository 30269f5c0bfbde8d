import { mappingGaps } from '@instep/contract/mapped-field.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { describe, expect, it } from 'vitest'
import { droppedColumns, resolveMapping, sameMapping } from './resolve-mapping.ts'
import { keyReader, recordHasher } from './stage.ts'

const mapping: Mapping = {
  fields: {
    externalId: { column: 'id' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    startDate: { column: 'start', dateFormat: 'DMY' },
  },
}

describe('a mapping', () => {
  it('lacks what a person must have, and the order of its dates', () => {
    expect(mappingGaps({ fields: { givenName: { column: 'a' }, startDate: { column: 'b' } } })).toEqual([
      { field: 'externalId', gap: 'column' },
      { field: 'familyName', gap: 'column' },
      { field: 'startDate', gap: 'dateFormat' },
    ])
    expect(mappingGaps(mapping)).toEqual([])
  })

  it('finds its columns by name and names those it has lost', () => {
    const { columns, lost, lostColumns } = resolveMapping(mapping, ['last', 'new', 'first', 'id'])
    expect(columns.map(({ field, index }) => [field, index])).toEqual([
      ['externalId', 3],
      ['givenName', 2],
      ['familyName', 0],
    ])
    expect([...lost]).toEqual(['startDate'])
    expect(lostColumns).toEqual(['start'])
  })

  it('that gives up a field whose column is gone drops it; one that finds another column does not', () => {
    const { startDate: _, ...rest } = mapping.fields
    expect(droppedColumns(mapping, { fields: rest }, ['id', 'first', 'last'])).toEqual(['start'])
    expect(droppedColumns(mapping, { fields: rest }, ['id', 'first', 'last', 'start'])).toEqual([])
    expect(
      droppedColumns(mapping, { fields: { ...rest, startDate: { column: 'hired', dateFormat: 'DMY' } } }, ['id', 'first', 'last', 'hired']),
    ).toEqual([])
  })

  it('is the same whatever the order of its members', () => {
    expect(sameMapping(mapping, { fields: Object.fromEntries(Object.entries(mapping.fields).reverse()) })).toBe(true)
    expect(sameMapping(mapping, { fields: { ...mapping.fields, title: { column: 'first' } } })).toBe(false)
  })
})

describe('the fingerprint of a record', () => {
  const hashOf = (header: string[], cells: string[]) => recordHasher(resolveMapping(mapping, header).columns)(cells)

  it('does not see columns that are added or stand elsewhere', () => {
    expect(hashOf(['new', 'last', 'first', 'id', 'start'], ['x', 'c', 'b', 'a', 'd'])).toBe(
      hashOf(['id', 'first', 'last', 'start'], ['a', 'b', 'c', 'd']),
    )
  })

  it('sees a character that moved from one cell to the next', () => {
    const header = ['id', 'first', 'last', 'start']
    expect(hashOf(header, ['a', 'bc', 'd', ''])).not.toBe(hashOf(header, ['a', 'b', 'cd', '']))
    expect(hashOf(header, ['a', '1:b', '', ''])).not.toBe(hashOf(header, ['a', '', '1:b', '']))
  })
})

it('the key of a record is its external id as it is kept, or nothing where that cannot be read', () => {
  const keyOf = keyReader(resolveMapping({ fields: { externalId: { column: 'id', values: { old: 'new' } } } }, ['id']).columns)
  expect([' E1\n', 'old', ' ', 'a\0'].map((cell) => keyOf([cell]))).toEqual(['E1', 'new', null, null])
})
