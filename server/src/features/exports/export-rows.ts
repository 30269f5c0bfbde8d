import type { ExportColumn } from '@instep/contract/user-columns.ts'
import { columnOf, USER_FIELDS, type UserFieldName } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { exportWords } from './export-words.ts'

const OWN: Partial<Record<ExportColumn, RawBuilder<unknown>>> = {
  status: sql`case when u.active then u.claim_state when u.deactivated_at is null then 'inactive' else 'deactivated' end`,
  siteName: sql`(select s.name from sites s where s.tenant_id = u.tenant_id and s.id = u.site_id)`,
  connectorName: sql`(select c.name from connectors c where c.tenant_id = u.tenant_id and c.id = u.connector_id)`,
}

/** What an export reads of `users as u`: the id, and each column under its name. */
export const exportedColumns = (columns: readonly ExportColumn[]): RawBuilder<unknown> =>
  sql.join([
    sql`u.id`,
    ...columns.map((column) => sql`${OWN[column] ?? sql.ref(`u.${columnOf(column as UserFieldName)}`)} as ${sql.ref(`x_${column}`)}`),
  ])

const isDate = (column: ExportColumn): boolean => column in USER_FIELDS && USER_FIELDS[column as UserFieldName].type === 'date'

/** `2026-01-31` → `31/01/2026` (decisions.md section 2: dates in files). */
const fileDate = (date: string): string => date.split('-').reverse().join('/')

/** One person as cells: dates as DD/MM/YYYY, instants as ISO 8601 in UTC, statuses and flags in words. */
export const exportedCells = (
  row: Readonly<Record<string, unknown>>,
  columns: readonly ExportColumn[],
  words: ReturnType<typeof exportWords>,
): string[] =>
  columns.map((column) => {
    const value = row[`x_${column}`]
    if (value === null || value === undefined) return ''
    if (value instanceof Date) return value.toISOString()
    if (typeof value === 'boolean') return value ? words.yes : words.no
    if (column === 'status') return words.status[value as keyof typeof words.status]
    return isDate(column) ? fileDate(String(value)) : String(value)
  })
