import type { ExpressionReason } from '@instep/contract/expression-engine.ts'
import { fieldsOf, holdsFor } from '@instep/contract/holds-for.ts'
import { mapField, readMapped, transformsOf } from '@instep/contract/mapped-field.ts'
import type { FieldMapping, Mapping } from '@instep/contract/sync.ts'
import { compileChain } from '@instep/contract/transform-text.ts'
import type { Transform } from '@instep/contract/transforms.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { isRequired } from './mapping.rules.ts'

export type StepKind = Transform['kind']
/** In the order in which they are offered. */
export const STEP_KINDS = [
  'split',
  'concat',
  'lookup',
  'replace',
  'case',
  'trim',
  'default',
  'constant',
  'expression',
] as const satisfies readonly StepKind[]

/** A step as it is when it is added. */
export const newStep = (kind: StepKind, columns: readonly string[]): Transform => {
  switch (kind) {
    case 'trim':
      return { kind }
    case 'case':
      return { kind, to: 'title' }
    case 'split':
      return { kind, separator: ' ', part: 1, end: 'start' }
    case 'concat':
      return { kind, parts: [{ from: 'value' }, { from: 'column', column: columns[0] ?? '' }], separator: ' ' }
    case 'lookup':
      return { kind, values: {}, others: 'keep' }
    case 'replace':
      return { kind, find: '', with: '' }
    case 'default':
    case 'constant':
      return { kind, text: '' }
    case 'expression':
      return { kind, text: '$', columns: [] }
  }
}

/** The list with one member elsewhere; the same list where that is beyond its ends. */
export const moved = <Item>(list: readonly Item[], from: number, to: number): Item[] => {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** A field's mapping with another chain; what `values` said is a step of it. */
export const withSteps = ({ values: _, transforms: __, ...from }: FieldMapping, transforms: Transform[]): FieldMapping => ({
  ...from,
  ...(transforms.length > 0 ? { transforms } : {}),
})

/** Rows of a sample with the names of their columns. */
export interface Sample {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const placesOf = ({ columns }: Sample): Map<string, number> => new Map(columns.map((name, index) => [name, index]))

/** What a field's mapping makes of a sample row. */
export type SampleResult =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'cleared' | 'kept' | 'required' }
  | { readonly kind: 'wrong'; readonly code: string; readonly text: string; readonly reason: Partial<ExpressionReason> }

export interface SampleRow {
  readonly before: readonly string[]
  readonly result: SampleResult
}

const reasonIn = ({ detail, because }: Partial<ExpressionReason>): Partial<ExpressionReason> => ({
  ...(detail !== undefined && { detail }),
  ...(because && { because }),
})

/** The result for each row of the sample, read exactly as a run would; empty where the mapping names a column that is not there. */
export const sampleResults = (field: UserFieldName, from: FieldMapping, sample: Sample): SampleRow[] => {
  const mapped = mapField(field, from, placesOf(sample))
  if ('lost' in mapped) return []
  return sample.rows.map((cells) => {
    const before = mapped.places.map((place) => cells[place] ?? '')
    const read = readMapped(cells, mapped)
    if (!read) return { before, result: { kind: 'kept' } }
    if ('wrong' in read)
      return { before, result: { kind: 'wrong', code: read.wrong, text: read.text ?? before[0] ?? '', reason: reasonIn(read) } }
    if (read.value === null) return { before, result: { kind: isRequired(field) ? 'required' : 'cleared' } }
    return { before, result: { kind: 'value', value: read.value } }
  })
}

/** The different texts of the sample that reach a step, in the order of the rows. */
export const textsBefore = (from: FieldMapping, step: number, sample: Sample): string[] => {
  const places = placesOf(sample)
  const chain = compileChain(transformsOf(from).slice(0, step), (column) => places.get(column) ?? -1)
  const own = from.column === undefined ? -1 : (places.get(from.column) ?? -1)
  const texts = sample.rows.flatMap((cells) => {
    const text = chain((cells[own] ?? '').trim(), cells)
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  return [...new Set(texts)]
}

/**
 * How many records of the sample are in scope; one whose fields cannot be read is not left out, as in a run.
 *
 * @param today `YYYY-MM-DD`
 */
export const sampleInScope = (mapping: Mapping, sample: Sample, today: string): number => {
  const { scope } = mapping
  if (!scope) return sample.rows.length
  const places = placesOf(sample)
  const asked = (fieldsOf(scope) as UserFieldName[]).flatMap((field) => {
    const from = mapping.fields[field]
    const mapped = from && mapField(field, from, places)
    return mapped && !('lost' in mapped) ? [mapped] : []
  })
  const holds = holdsFor(scope, today)
  return sample.rows.filter((cells) => {
    const read = asked.map((mapped) => [mapped.field, readMapped(cells, mapped)] as const)
    if (read.some(([, value]) => value && 'wrong' in value)) return true
    return holds(Object.fromEntries(read.map(([field, value]) => [field, value && 'value' in value ? value.value : null])))
  }).length
}
