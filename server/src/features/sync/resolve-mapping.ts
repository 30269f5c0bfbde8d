import type { Condition } from '@instep/contract/conditions.ts'
import { jsonataEngine } from '@instep/contract/expression.ts'
import { provideExpressions } from '@instep/contract/expression-engine.ts'
import { columnsOf, type MappedField, mapField, transformsOf } from '@instep/contract/mapped-field.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'

provideExpressions(jsonataEngine)

/** A mapping laid over the header of one file. */
export interface ResolvedMapping {
  readonly columns: readonly MappedField[]
  /** Fields that a column of theirs is missing for in this file; they are left as they are. */
  readonly lost: ReadonlySet<UserFieldName>
  readonly lostColumns: readonly string[]
  /** Who is in scope; undefined: everybody. */
  readonly scope: Condition | undefined
}

const mappedFields = (mapping: Mapping): UserFieldName[] => userFieldNames.filter((field) => mapping.fields[field])

/** Finds the mapped columns in a header by name; what is not there is lost. Columns that are new or stand elsewhere make no difference. */
export const resolveMapping = (mapping: Mapping, header: readonly string[]): ResolvedMapping => {
  const places = new Map(header.map((name, index) => [name, index]))
  const columns: MappedField[] = []
  const lost = new Set<UserFieldName>()
  const lostColumns = new Set<string>()
  for (const field of mappedFields(mapping)) {
    const from = mapping.fields[field]
    if (!from) continue
    const mapped = mapField(field, from, places)
    if ('lost' in mapped) {
      lost.add(field)
      for (const column of mapped.lost) lostColumns.add(column)
    } else columns.push(mapped)
  }
  return { columns, lost, lostColumns: [...lostColumns], scope: mapping.scope }
}

/**
 * Columns that were mapped before and that a new mapping gives up because the file no longer has them; a field that found another column is
 * not lost.
 */
export const droppedColumns = (before: Mapping, now: Mapping, header: readonly string[]): string[] => {
  const names = new Set(header)
  const dropped = mappedFields(before).flatMap((field) => {
    const from = before.fields[field]
    return from && !now.fields[field] ? columnsOf(from).filter((column) => !names.has(column)) : []
  })
  return [...new Set(dropped)]
}

/** Whether two mappings say the same, whatever the order of their members. */
export const sameMapping = (a: Mapping, b: Mapping): boolean => canonical(a) === canonical(b)

/** Sorts the members of whatever is an object; absent and `undefined` are the same. */
const inOrder = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

const canonical = (mapping: Mapping): string => {
  const fields = mappedFields(mapping).map((field) => {
    const from = mapping.fields[field]
    return [field, from?.column, from?.dateFormat, from && transformsOf(from), from?.whenEmpty ?? { policy: 'clear' }]
  })
  return JSON.stringify([fields, mapping.scope], inOrder)
}
