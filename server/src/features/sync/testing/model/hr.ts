/** The HR system of a model test: who is employed, and the file that it writes of them. */
import type { FieldMapping, Mapping } from '@instep/contract/sync.ts'

export interface Employee {
  readonly id: string
  readonly number: string
  readonly first: string
  readonly last: string
  readonly dept: string
  readonly team: string
  readonly store: string
  readonly boss: string
  readonly start: string
  readonly end: string
  readonly mail: string
}

export const COLUMNS = ['id', 'number', 'first', 'last', 'dept', 'team', 'store', 'boss', 'start', 'end', 'mail'] as const

/** How the department is read, which is what changes when the mapping does: one column or the other, both in an expression, and what an empty one says. */
export const READINGS = ['dept', 'team', 'joined', 'kept', 'filled'] as const
export type Reading = (typeof READINGS)[number]

const JOINED = `team = 'Kitchen' ? $error('no team') : $uppercase($) & (team = 'Red' ? ' red' : '')`

const DEPARTMENT: Record<Reading, FieldMapping> = {
  dept: { column: 'dept' },
  team: { column: 'team' },
  joined: { column: 'dept', transforms: [{ kind: 'expression', text: JOINED, columns: ['team'] }] },
  kept: { column: 'dept', whenEmpty: { policy: 'keep' } },
  filled: { column: 'dept', whenEmpty: { policy: 'default', text: 'Office' } },
}

/** What a record says of the department; undefined: nothing. Null: the record cannot be read. */
export const departmentOf = ({ dept, team }: Employee, reading: Reading): { readonly says: string | null | undefined } | null => {
  if (reading === 'team') return { says: team || null }
  if (reading === 'kept') return { says: dept || undefined }
  if (reading === 'filled') return { says: dept || 'Office' }
  if (reading === 'dept') return { says: dept || null }
  return team === 'Kitchen' ? null : { says: `${dept.toUpperCase()}${team === 'Red' ? ' red' : ''}`.trim() || null }
}

/** The cells that the department is read from. */
export const departmentCells = ({ dept, team }: Employee, reading: Reading): string[] => {
  if (reading === 'joined') return [dept, team]
  return [reading === 'team' ? team : dept]
}

export const mappingOf = (reading: Reading): Mapping => ({
  fields: {
    externalId: { column: 'id' },
    employeeNumber: { column: 'number' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    department: DEPARTMENT[reading],
    locationName: { column: 'store' },
    manager: { column: 'boss' },
    startDate: { column: 'start', dateFormat: 'YMD' },
    endDate: { column: 'end', dateFormat: 'YMD' },
    workEmail: { column: 'mail' },
  },
})

/** The file as text; nothing in it needs quotes. */
export const feedOf = (people: readonly Employee[]): string =>
  [COLUMNS, ...people.map((person) => COLUMNS.map((column) => person[column]))].map((cells) => `${cells.join(',')}\n`).join('')

/** A record as anybody would read it who splits the text; cells that a cut took are empty. */
export const readFeed = (text: string): Employee[] =>
  text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split(',')
      return Object.fromEntries(COLUMNS.map((column, place) => [column, cells[place] ?? ''])) as unknown as Employee
    })

/** An HR system that changes. */
export interface Hr {
  /** Everybody that it ever had; whoever is not `here` is not in its file. */
  readonly people: { row: Employee; here: boolean; twice: boolean }[]
  hire(more: Partial<Employee>): void
  feed(): string
}

export const createHr = (): Hr => {
  const people: Hr['people'] = []
  return {
    people,
    hire: (more) => {
      const number = people.length + 1
      const row = {
        id: `E${number}`,
        number: `N${number}`,
        first: 'Ada',
        last: `Byron ${number}`,
        dept: 'Kitchen',
        team: 'Blue',
        store: number % 2 === 0 ? 'South' : 'North',
        boss: '',
        start: '2024-01-01',
        end: '',
        mail: `e${number}@example.com`,
      }
      people.push({ row: { ...row, ...more }, here: true, twice: false })
    },
    feed: () => feedOf(people.filter(({ here }) => here).flatMap(({ row, twice }) => (twice ? [row, { ...row, last: 'Twice' }] : [row]))),
  }
}
