import type { ClaimField } from '@instep/contract/settings.ts'
import { attributeColumn, type ExportColumn, type FileColumn } from '@instep/contract/user-columns.ts'
import { columnOf, USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { exportWords } from './export-words.ts'

type Words = ReturnType<typeof exportWords>

const OWN: Partial<Record<ExportColumn, RawBuilder<unknown>>> = {
  status: sql`case when u.active then u.claim_state when u.deactivated_at is null then 'inactive' else 'deactivated' end`,
  siteName: sql`(select s.name from sites s where s.tenant_id = u.tenant_id and s.id = u.site_id)`,
  connectorName: sql`(select c.name from connectors c where c.tenant_id = u.tenant_id and c.id = u.connector_id)`,
}

/** A column of a file: what stands above it, what it reads of `users as u`, and how a value is written. */
export interface ExportedColumn {
  readonly header: string
  readonly value: RawBuilder<unknown>
  readonly write: (value: unknown) => string
}

/** `2026-01-31` → `31/01/2026` (decisions.md section 2: dates in files); what is no date stays as it is. */
const fileDate = (text: string): string => text.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1')

/** Dates as DD/MM/YYYY, instants as ISO 8601 in UTC, statuses and flags in words. */
const ownColumn = (column: ExportColumn, words: Words): ExportedColumn => {
  const isDate = column in USER_FIELDS && USER_FIELDS[column as UserFieldName].type === 'date'
  return {
    header: words.columns[column],
    value: OWN[column] ?? sql.ref(`u.${columnOf(column as UserFieldName)}`),
    write: (value) => {
      if (value instanceof Date) return value.toISOString()
      if (typeof value === 'boolean') return value ? words.yes : words.no
      if (column === 'status') return words.status[value as keyof Words['status']]
      return isDate ? fileDate(String(value)) : String(value)
    },
  }
}

const attributeOf = ({ id, displayName, type }: ClaimField): ExportedColumn => ({
  header: displayName,
  value: sql`u.claim_fields ->> ${id}::text`,
  write: (value) => (type === 'date' ? fileDate(String(value)) : String(value)),
})

/** Attributes that are columns of their own: a default one is a field of the form, and has that one's. */
export const ownAttributes = (attributes: readonly ClaimField[]): ClaimField[] => attributes.filter(({ isDefault }) => !isDefault)

/** The columns that were asked for, without attributes that the tenant does not have any more. */
export const exportedColumns = (
  asked: readonly FileColumn[],
  { words, attributes }: { words: Words; attributes: readonly ClaimField[] },
): ExportedColumn[] => {
  const own = new Map<FileColumn, ClaimField>(ownAttributes(attributes).map((attribute) => [attributeColumn(attribute.id), attribute]))
  return asked.flatMap((column) => {
    const attribute = own.get(column)
    if (attribute) return [attributeOf(attribute)]
    return column.startsWith('claimFields.') ? [] : [ownColumn(column as ExportColumn, words)]
  })
}

const nameAt = (place: number): string => `x_${place}`

/** What an export reads of `users as u`: the id, and the columns by their place. */
export const exportedValues = (columns: readonly ExportedColumn[]): RawBuilder<unknown> =>
  sql.join([sql`u.id`, ...columns.map(({ value }, place) => sql`${value} as ${sql.id(nameAt(place))}`)])

/** One person as cells. */
export const exportedCells = (row: Readonly<Record<string, unknown>>, columns: readonly ExportedColumn[]): string[] =>
  columns.map(({ write }, place) => {
    const value = row[nameAt(place)]
    return value === null || value === undefined ? '' : write(value)
  })
