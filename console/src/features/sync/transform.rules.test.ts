import type { FieldMapping } from '@instep/contract/sync.ts'
import { Transform } from '@instep/contract/transforms.ts'
import { describe, expect, it } from 'vitest'
import { withColumn, withField } from './mapping.rules.ts'
import { moved, newStep, STEP_KINDS, sampleInScope, sampleResults, textsBefore, withSteps } from './transform.rules.ts'

const sample = {
  columns: ['name', 'start'],
  rows: [
    ['Byron, Ada', '31/12/2026'],
    ['Doe', 'soon'],
    ['', ''],
  ],
}
const last: FieldMapping = { column: 'name', transforms: [{ kind: 'split', separator: ',', part: 1, end: 'start' }] }

describe('the steps of a field', () => {
  it('are offered once each, and come with what can be filled in', () => {
    expect(new Set(STEP_KINDS).size).toBe(Transform.options.length)
    expect(STEP_KINDS.filter((kind) => !Transform.safeParse(newStep(kind, ['name'])).success)).toEqual(['replace', 'default', 'constant'])
  })

  it('move to another place, and stay where there is none', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  })

  it('take the place of the values that were translated before there were steps', () => {
    expect(withSteps({ column: 'name', values: { a: 'b' } }, [{ kind: 'trim' }])).toEqual({
      column: 'name',
      transforms: [{ kind: 'trim' }],
    })
  })

  it('stay when another column is chosen, and go with it where they cannot do without', () => {
    const column = { name: 'start', samples: [], filled: 1, dateFormats: [] }
    expect(withColumn({ fields: { title: last } }, 'title', column).fields.title).toEqual({ ...last, column: 'start' })
    expect(withColumn({ fields: { title: last } }, 'title', undefined).fields).toEqual({})
    const constant: FieldMapping = { column: 'name', transforms: [{ kind: 'constant', text: 'x' }] }
    expect(withColumn({ fields: { title: constant } }, 'title', undefined).fields.title).toEqual({ transforms: constant.transforms })
  })

  it('are all that keeps a field without a column', () => {
    expect(withField({ fields: {} }, 'title', { transforms: [{ kind: 'trim' }] }).fields.title).toBeDefined()
    expect(withField({ fields: { title: last } }, 'title', { whenEmpty: { policy: 'keep' } }).fields).toEqual({})
  })
})

describe('the sample shows', () => {
  it('what a run would read of each record', () => {
    expect(sampleResults('title', last, sample)).toEqual([
      { before: ['Byron, Ada'], result: { kind: 'value', value: 'Byron' } },
      { before: ['Doe'], result: { kind: 'value', value: 'Doe' } },
      { before: [''], result: { kind: 'cleared' } },
    ])
    expect(sampleResults('title', { ...last, whenEmpty: { policy: 'keep' } }, sample)[2]?.result).toEqual({ kind: 'kept' })
    expect(sampleResults('familyName', last, sample)[2]?.result).toEqual({ kind: 'required' })
  })

  it('what is wrong, with the text concerned', () => {
    expect(sampleResults('startDate', { column: 'start', dateFormat: 'DMY' }, sample)[1]?.result).toEqual({
      kind: 'wrong',
      code: 'date',
      text: 'soon',
      reason: {},
    })
  })

  it('nothing where a column is not there', () => {
    expect(sampleResults('title', { column: 'gone' }, sample)).toEqual([])
  })

  it('the texts that reach a step, each once', () => {
    expect(textsBefore(last, 1, { ...sample, rows: [...sample.rows, ['Byron, Bo', '']] })).toEqual(['Byron', 'Doe'])
  })
})

it('the sample tells how many are in scope, counting whom nobody can judge', () => {
  const fields = { title: last, startDate: { column: 'start', dateFormat: 'DMY' as const } }
  const byName = { field: 'title', operator: 'equals' as const, value: 'byron' }
  const byDate = { field: 'startDate', operator: 'withinNext' as const, value: { number: 1, scale: 'year' as const } }
  expect(sampleInScope({ fields }, sample, '2026-06-01')).toBe(3)
  expect(sampleInScope({ fields, scope: byName }, sample, '2026-06-01')).toBe(1)
  expect(sampleInScope({ fields, scope: byDate }, sample, '2026-06-01')).toBe(2)
  expect(sampleInScope({ fields, scope: byDate }, sample, '2025-06-01')).toBe(1)
})
