/** The employee export as a table, before it becomes a file. */
import type { Person } from './people.ts'
import type { Trouble } from './trouble.ts'

export interface ExportColumn {
  readonly header: string
  readonly value: (person: Person) => string | null
  /** Dates are `YYYY-MM-DD` here and DD/MM/YYYY in the file. */
  readonly isDate?: true
}

/** One cell: `date` where the file format has dates of its own. */
export type Cell = { readonly text: string; readonly date?: Date }

export interface ExportTable {
  readonly headers: readonly string[]
  readonly size: number
  rows(): Iterable<readonly Cell[]>
}

/** The columns, in the export's order. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  { header: 'Person ID', value: (person) => person.externalId },
  { header: 'Employee ID', value: (person) => person.employeeNumber },
  { header: 'First name', value: (person) => person.givenName },
  { header: 'Last name', value: (person) => person.familyName },
  { header: 'Job title', value: (person) => person.title },
  { header: 'Department', value: (person) => person.department },
  { header: 'Division', value: (person) => person.division },
  { header: 'Organization', value: (person) => person.organization },
  { header: 'Cost centre', value: (person) => person.costCentre },
  { header: 'Location', value: (person) => person.location },
  { header: 'City', value: (person) => person.city },
  { header: 'Country', value: (person) => person.country },
  { header: 'Work email', value: (person) => person.workEmail },
  { header: 'Personal email', value: (person) => person.personalEmail },
  { header: 'Mobile phone', value: (person) => person.mobile },
  { header: 'Language', value: (person) => person.language },
  { header: 'Manager ID', value: (person) => person.managerId },
  { header: 'Start date', value: (person) => person.startDate, isDate: true },
  { header: 'End date', value: (person) => person.endDate, isDate: true },
  { header: 'Employment type', value: (person) => person.employmentType },
  { header: 'Date of birth', value: (person) => person.dateOfBirth, isDate: true },
  { header: 'Gender', value: (person) => person.gender },
]

export const RENAMED_HEADER = 'Worker reference'

const IMPOSSIBLE_DATE = '31/02/2024'

const dayFirst = (date: string): string => `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`

const cellOf = (column: ExportColumn, person: Person): Cell => {
  const value = column.value(person)
  if (value === null) return { text: '' }
  return column.isDate ? { text: dayFirst(value), date: new Date(`${value}T00:00:00Z`) } : { text: value }
}

const rowOf = (person: Person): Cell[] => EXPORT_COLUMNS.map((column) => cellOf(column, person))

const replaceCell = (row: readonly Cell[], header: string, text: string): Cell[] =>
  row.map((cell, index) => (EXPORT_COLUMNS[index]?.header === header ? { text } : cell))

function* withBadRows(people: readonly Person[]): Generator<readonly Cell[]> {
  for (const [index, person] of people.entries()) {
    const row = rowOf(person)
    if (index === 3) yield replaceCell(row, 'Start date', IMPOSSIBLE_DATE)
    else if (index === 7) yield replaceCell(row, 'Last name', '')
    else yield row
  }
  const twice = people[5]
  if (twice) yield replaceCell(rowOf(twice), 'Job title', 'Night porter')
}

function* asTheyAre(people: readonly Person[]): Generator<readonly Cell[]> {
  for (const person of people) yield rowOf(person)
}

/** The table of these people, with what is wrong today. */
export const exportTable = (people: readonly Person[], trouble: Trouble | null): ExportTable => {
  const headers = EXPORT_COLUMNS.map((column) => column.header)
  switch (trouble) {
    case 'missing-people': {
      const kept = people.slice(0, Math.floor(people.length * 0.7))
      return { headers, size: kept.length, rows: () => asTheyAre(kept) }
    }
    case 'header-only':
      return { headers, size: 0, rows: () => [] }
    case 'renamed-column':
      return { headers: [RENAMED_HEADER, ...headers.slice(1)], size: people.length, rows: () => asTheyAre(people) }
    case 'bad-rows':
      return { headers, size: people.length + (people.length > 5 ? 1 : 0), rows: () => withBadRows(people) }
    case null:
      return { headers, size: people.length, rows: () => asTheyAre(people) }
  }
}
