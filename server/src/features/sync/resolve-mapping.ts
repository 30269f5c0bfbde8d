import type { DateFormat, Mapping } from '@instep/contract/sync.ts'
import { USER_FIELDS, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'

/** A mapped field and the place of its cell in a row. */
export interface MappedColumn {
  readonly field: UserFieldName
  readonly index: number
  readonly dateFormat: DateFormat | undefined
  /** What the source writes → what is kept. */
  readonly values: ReadonlyMap<string, string> | undefined
}

/** A mapping laid over the header of one file. */
export interface ResolvedMapping {
  readonly columns: readonly MappedColumn[]
  /** Fields whose column is not in this file; they are left as they are. */
  readonly lost: ReadonlySet<UserFieldName>
  readonly lostColumns: readonly string[]
}

const mappedFields = (mapping: Mapping): UserFieldName[] => userFieldNames.filter((field) => mapping.fields[field])

/** What is missing in a mapping before any file is looked at: the field and whether its column or its date format is to be chosen. */
export const mappingGaps = (mapping: Mapping): { field: UserFieldName; gap: 'column' | 'dateFormat' }[] => [
  ...userFieldNames.flatMap((field) =>
    'required' in USER_FIELDS[field] && !mapping.fields[field] ? [{ field, gap: 'column' as const }] : [],
  ),
  ...mappedFields(mapping).flatMap((field) =>
    USER_FIELDS[field].type === 'date' && !mapping.fields[field]?.dateFormat ? [{ field, gap: 'dateFormat' as const }] : [],
  ),
]

/** Finds the mapped columns in a header by name; what is not there is lost. Columns that are new or stand elsewhere make no difference. */
export const resolveMapping = (mapping: Mapping, header: readonly string[]): ResolvedMapping => {
  const places = new Map(header.map((name, index) => [name, index]))
  const columns: MappedColumn[] = []
  const lost = new Set<UserFieldName>()
  const lostColumns = new Set<string>()
  for (const field of mappedFields(mapping)) {
    const from = mapping.fields[field]
    if (!from) continue
    const index = places.get(from.column)
    if (index === undefined) {
      lost.add(field)
      lostColumns.add(from.column)
      continue
    }
    const values = from.values && Object.keys(from.values).length > 0 ? new Map(Object.entries(from.values)) : undefined
    columns.push({ field, index, dateFormat: from.dateFormat, values })
  }
  return { columns, lost, lostColumns: [...lostColumns] }
}

/**
 * Columns that were mapped before and that a new mapping gives up because the file no longer has them; a field that found another column is
 * not lost.
 */
export const droppedColumns = (before: Mapping, now: Mapping, header: readonly string[]): string[] => {
  const names = new Set(header)
  const dropped = mappedFields(before).flatMap((field) => {
    const column = before.fields[field]?.column
    return column !== undefined && !now.fields[field] && !names.has(column) ? [column] : []
  })
  return [...new Set(dropped)]
}

/** Whether two mappings say the same, whatever the order of their members. */
export const sameMapping = (a: Mapping, b: Mapping): boolean => canonical(a) === canonical(b)

const canonical = (mapping: Mapping): string =>
  JSON.stringify(
    mappedFields(mapping).map((field) => {
      const from = mapping.fields[field]
      return [field, from?.column, from?.dateFormat, Object.entries(from?.values ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))]
    }),
  )
