import type { Column } from '@instep/contract/sync.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { describe, expect, it } from 'vitest'
import { FIELD_GROUPS, gapsOf, withColumn, withDateFormat } from './mapping.rules.ts'

const column = (name: string, dateFormats: Column['dateFormats'] = []): Column => ({ name, samples: [], filled: 1, dateFormats })
const named = { externalId: { column: 'ID' }, givenName: { column: 'First' }, familyName: { column: 'Last' } }

describe('the mapping screen', () => {
  it('shows every field of a person exactly once', () => {
    expect(Object.values(FIELD_GROUPS).flat().sort()).toEqual([...userFieldNames].sort())
  })

  it('asks for each required field that has no column', () => {
    expect([...gapsOf({ fields: {} })]).toEqual([
      ['externalId', 'column'],
      ['givenName', 'column'],
      ['familyName', 'column'],
    ])
  })

  it('asks how a date is written when the file does not tell', () => {
    const mapping = withColumn({ fields: named }, 'startDate', column('Start', ['DMY', 'MDY']))
    expect([...gapsOf(mapping)]).toEqual([['startDate', 'dateFormat']])
    expect(gapsOf(withDateFormat(mapping, 'startDate', 'MDY')).size).toBe(0)
  })

  it('takes the only format that a column can be written in', () => {
    expect(withColumn({ fields: named }, 'startDate', column('Start', ['YMD'])).fields.startDate).toEqual({
      column: 'Start',
      dateFormat: 'YMD',
    })
  })

  it('keeps a chosen format only where the new column can be written in it', () => {
    const mapping = withDateFormat(withColumn({ fields: named }, 'startDate', column('Start', ['DMY', 'MDY'])), 'startDate', 'MDY')
    expect(withColumn(mapping, 'startDate', column('From', ['DMY', 'MDY'])).fields.startDate?.dateFormat).toBe('MDY')
    expect(withColumn(mapping, 'startDate', column('From', ['DMY'])).fields.startDate?.dateFormat).toBe('DMY')
  })

  it('takes a field out when no column is chosen', () => {
    expect(withColumn({ fields: named }, 'givenName', undefined).fields).toEqual({
      externalId: { column: 'ID' },
      familyName: { column: 'Last' },
    })
  })
})
