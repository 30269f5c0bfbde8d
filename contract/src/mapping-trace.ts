/** What a mapping makes of one field of one record, step by step, for whoever asks why a value is what it is. Pure. */
import { z } from 'zod'
import { cleanText } from './field-values.ts'
import { columnsOf, mapField, readMapped, transformsOf } from './mapped-field.ts'
import type { FieldMapping } from './sync.ts'
import { compileChain } from './transform-text.ts'
import type { UserFieldName } from './user-fields.ts'

/** What a field comes to: a value, that there is none, nothing at all (what is there stays), a refusal, or a column that is not there. */
export const FIELD_OUTCOMES = ['value', 'clear', 'keep', 'wrong', 'lostColumn'] as const

export const FieldTrace = z.object({
  field: z.string(),
  /** The cells it is made of, as they came; null where the record has no such column. */
  cells: z.array(z.object({ column: z.string(), text: z.string().nullable() })),
  /** The text after each step of the chain; the last one may have refused it. */
  steps: z.array(z.object({ kind: z.string(), text: z.string().nullable(), wrong: z.string().nullable() })),
  outcome: z.enum(FIELD_OUTCOMES),
  value: z.string().nullable(),
  /** The code of what is wrong, and more words where there are some. */
  wrong: z.string().nullable(),
  detail: z.string().nullable(),
  /** The code of `detail` and what fills it, in `locales/<language>/expression.json`. */
  because: z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
})
export type FieldTrace = z.infer<typeof FieldTrace>

/** A record with the names of its cells. */
export interface NamedRecord {
  readonly header: readonly string[]
  readonly cells: readonly string[]
}

// what no screen can take
const UNSHOWABLE = /[\p{Cc}\p{Cs}]/gu
/** A text as a screen can show it. */
export const showable = (text: string): string => text.replace(UNSHOWABLE, '\ufffd')

type Params = Readonly<Record<string, string | number>>
export const showableParams = (params: Params): Record<string, string | number> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? showable(value) : value]))

const stepsOf = (from: FieldMapping, { cells }: NamedRecord, places: ReadonlyMap<string, number>): FieldTrace['steps'] => {
  const transforms = transformsOf(from)
  const placeOf = (column: string): number => places.get(column) ?? -1
  const own = cleanText(from.column === undefined ? '' : (cells[placeOf(from.column)] ?? ''))
  if (own === undefined) return []
  const steps: FieldTrace['steps'] = []
  for (const [place, { kind }] of transforms.entries()) {
    const made = compileChain(transforms.slice(0, place + 1), placeOf)(own, cells)
    if (typeof made !== 'string') return [...steps, { kind, text: null, wrong: made.wrong }]
    steps.push({ kind, text: showable(made), wrong: null })
  }
  return steps
}

/** Follows one field of a record through its mapping. */
export const traceField = (field: UserFieldName, from: FieldMapping, record: NamedRecord): FieldTrace => {
  const places = new Map(record.header.map((name, place) => [name, place]))
  const cells = columnsOf(from).map((column) => {
    const place = places.get(column)
    return { column, text: place === undefined ? null : showable(record.cells[place] ?? '') }
  })
  const mapped = mapField(field, from, places)
  const trace = { field, cells, value: null, wrong: null, detail: null, because: null }
  if ('lost' in mapped) return { ...trace, steps: [], outcome: 'lostColumn' }
  const steps = stepsOf(from, record, places)
  const read = readMapped(record.cells, mapped)
  if (read === undefined) return { ...trace, steps, outcome: 'keep' }
  if ('wrong' in read)
    return {
      ...trace,
      steps,
      outcome: 'wrong',
      wrong: read.wrong,
      detail: read.detail === undefined ? null : showable(read.detail),
      because: read.because ? { code: read.because.code, params: showableParams(read.because.params) } : null,
    }
  return { ...trace, steps, outcome: read.value === null ? 'clear' : 'value', value: read.value }
}
