/**
 * How one field of a person is read from a record: the same for the sync, which compiles a mapping once a run, and for the screen that shows what a
 * mapping would make of the sample. Pure.
 */

import type { DateFormat } from './date-formats.ts'
import { type ExpressionFault, expressionEngine } from './expression-engine.ts'
import { cleanText, type ReadValue, readField } from './field-values.ts'
import { fieldsOf } from './holds-for.ts'
import type { FieldMapping, Mapping } from './sync.ts'
import { type Chain, compileChain } from './transform-text.ts'
import type { Transform } from './transforms.ts'
import { USER_FIELDS, type UserFieldName, userFieldNames } from './user-fields.ts'

/** A field's mapping laid over the header of one file. */
export interface MappedField {
  readonly field: UserFieldName
  /** The place of its column; undefined where it has none. */
  readonly index: number | undefined
  /** The places of all the cells it is made of, its own column first. */
  readonly places: readonly number[]
  readonly dateFormat: DateFormat | undefined
  /** What the source writes → what is kept, where that is all that is done. */
  readonly values: ReadonlyMap<string, string> | undefined
  readonly chain: Chain | undefined
  /** What an empty text says; undefined: nothing, what is there stays. */
  readonly empty: ReadValue | undefined
}

/** What a record says of a field; undefined where it says nothing. A wrong text is given as the transforms have left it. */
export type MappedValue = ReadValue | undefined

const CLEAR: ReadValue = { value: null }
const CHARACTERS: ReadValue = { wrong: 'characters' }

/** What a spreadsheet shows where a formula failed, in English, French and German: no value of anybody, and no empty cell either. */
const SHEET_ERRORS = new Set(
  '#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC! #GETTING_DATA #VALEUR! #NOM? #NOMBRE! #NUL! #NV #BEZUG! #WERT! #ZAHL!'.split(
    ' ',
  ),
)
const HASH = 35

/** Reads what is to be kept; a text that is the error of a spreadsheet is wrong for every field. */
const readKept = (field: UserFieldName, text: string, format: DateFormat | undefined): ReadValue =>
  text.charCodeAt(0) === HASH && SHEET_ERRORS.has(text.toUpperCase()) ? { wrong: 'sheetError' } : readField(field, text, format)

/** The steps of a field's mapping in their order; `values` is its first, a lookup that keeps what it does not know. */
export const transformsOf = ({ values, transforms = [] }: FieldMapping): readonly Transform[] =>
  values && Object.keys(values).length > 0 ? [{ kind: 'lookup', values, others: 'keep' }, ...transforms] : transforms

/** The columns a field is made of, its own first, each once. */
export const columnsOf = (from: FieldMapping): string[] => {
  const joined = transformsOf(from).flatMap((step) => {
    if (step.kind === 'expression') return step.columns
    return step.kind === 'concat' ? step.parts.flatMap((part) => (part.from === 'column' ? [part.column] : [])) : []
  })
  return [...new Set(from.column === undefined ? joined : [from.column, ...joined])]
}

const BRINGS_TEXT: ReadonlySet<Transform['kind']> = new Set(['constant', 'default', 'concat', 'expression'])

/** Whether anything can come of a field: a column, or a step that brings a text. */
export const hasSource = (from: FieldMapping): boolean =>
  columnsOf(from).length > 0 || transformsOf(from).some(({ kind }) => BRINGS_TEXT.has(kind))

/** Whether a person cannot be without the field: an empty one is refused and never kept. */
const isRequired = (field: UserFieldName): boolean => 'required' in USER_FIELDS[field]

const emptyOf = (field: UserFieldName, { whenEmpty, dateFormat }: FieldMapping): ReadValue | undefined => {
  if (whenEmpty?.policy === 'default') return readField(field, whenEmpty.text.trim(), dateFormat)
  return whenEmpty?.policy === 'keep' && !isRequired(field) ? undefined : CLEAR
}

/** Lays a field's mapping over a header; where columns are missing in it, answers those. */
export const mapField = (
  field: UserFieldName,
  from: FieldMapping,
  places: ReadonlyMap<string, number>,
): MappedField | { readonly lost: readonly string[] } => {
  const columns = columnsOf(from)
  const lost = columns.filter((column) => !places.has(column))
  if (lost.length > 0) return { lost }
  const placeOf = (column: string): number => places.get(column) ?? -1
  const values = from.values && Object.keys(from.values).length > 0 ? new Map(Object.entries(from.values)) : undefined
  return {
    field,
    index: from.column === undefined ? undefined : placeOf(from.column),
    places: columns.map(placeOf),
    dateFormat: from.dateFormat,
    values,
    chain: from.transforms && from.transforms.length > 0 ? compileChain(transformsOf(from), placeOf) : undefined,
    empty: emptyOf(field, from),
  }
}

const readThrough = (chain: Chain, cells: readonly string[], mapped: MappedField): MappedValue => {
  const own = cleanText(mapped.index === undefined ? '' : (cells[mapped.index] ?? ''))
  if (own === undefined) return CHARACTERS
  const made = chain(own, cells)
  if (typeof made !== 'string') return made
  const text = cleanText(made)
  if (text === undefined) return CHARACTERS
  if (text === '') return mapped.empty
  const read = readKept(mapped.field, text, mapped.dateFormat)
  return 'wrong' in read ? { ...read, text } : read
}

/** Reads a field from a record's cells: cleaned, transformed, checked as its field wants it. */
export const readMapped = (cells: readonly string[], mapped: MappedField): MappedValue => {
  if (mapped.chain) return readThrough(mapped.chain, cells, mapped)
  const cell = mapped.index === undefined ? '' : (cells[mapped.index] ?? '')
  if (cell === '') return mapped.empty
  const clean = cleanText(cell)
  if (clean === undefined) return CHARACTERS
  const text = mapped.values?.get(clean) ?? clean
  return text === '' ? mapped.empty : readKept(mapped.field, text, mapped.dateFormat)
}

export type MappingGap = 'column' | 'dateFormat' | 'text' | 'expression'

/** Whether a text that the mapping itself brings can be a value of the field. */
const takes = (field: UserFieldName, text: string, format: DateFormat | undefined): boolean => {
  const clean = cleanText(text)
  return clean !== undefined && clean !== '' && !('wrong' in readField(field, clean, format))
}

const ownTexts = (from: FieldMapping): string[] => {
  const last = transformsOf(from).at(-1)
  return [
    ...(last?.kind === 'constant' || last?.kind === 'default' ? [last.text] : []),
    ...(from.whenEmpty?.policy === 'default' ? [from.whenEmpty.text] : []),
  ]
}

/** Whether a step has been told all that it needs; while it is being edited it may not have been. */
const isTold = (step: Transform): boolean => {
  if (step.kind === 'split') return step.separator !== ''
  if (step.kind === 'replace') return step.find !== ''
  if (step.kind === 'constant' || step.kind === 'default' || step.kind === 'expression') return step.text !== ''
  return step.kind !== 'concat' || step.parts.every((part) => part.from !== 'text' || part.text !== '')
}

/** The first fault of a field's expressions; undefined where they can all be used. */
export const expressionFault = (from: FieldMapping): ExpressionFault | undefined => {
  for (const step of transformsOf(from)) {
    const fault = step.kind === 'expression' ? expressionEngine().check(step) : undefined
    if (fault) return fault
  }
  return undefined
}

const gapOf = (field: UserFieldName, from: FieldMapping | undefined): MappingGap | undefined => {
  if (!from) return isRequired(field) ? 'column' : undefined
  if (!hasSource(from)) return 'column'
  if (USER_FIELDS[field].type === 'date' && !from.dateFormat) return 'dateFormat'
  if (!transformsOf(from).every(isTold)) return 'text'
  if (expressionFault(from)) return 'expression'
  return ownTexts(from).every((text) => takes(field, text, from.dateFormat)) ? undefined : 'text'
}

/**
 * What a mapping lacks before any file is looked at: a column (of a field that a person must have or that its scope asks for), a date format, a
 * text of its own that its step and the field can take, or an expression that can be used.
 */
export const mappingGaps = ({ fields, scope }: Mapping): { field: UserFieldName; gap: MappingGap }[] => {
  const asked = new Set(scope ? fieldsOf(scope) : [])
  return userFieldNames.flatMap((field) => {
    const gap = gapOf(field, fields[field]) ?? (!fields[field] && asked.has(field) ? 'column' : undefined)
    return gap ? [{ field, gap }] : []
  })
}
