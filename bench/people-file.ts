import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Mapping } from '@instep/contract/sync.ts'

const GIVEN = [
  'Anna',
  'Bruno',
  'Chloé',
  'David',
  'Élodie',
  'Fatima',
  'George',
  'Hana',
  'Ivan',
  'José',
  'Kirsten',
  'Léa',
  'Mohammed',
  'Nguyễn',
  'Olga',
  'Priya',
]
const FAMILY = [
  'Martin',
  'Schmidt',
  'O’Connor',
  'García',
  'Nowak',
  'Rossi',
  'Dubois',
  'Singh',
  'Kim',
  'Lefèvre',
  'van der Berg',
  'Yılmaz',
  'Petrov',
  'Okafor',
  'Tanaka',
  'Smith-Jones',
]
const TITLES = [
  'Sales associate',
  'Store manager',
  'Cashier',
  'Warehouse operative',
  'Visual merchandiser',
  'Shift supervisor',
  '"Key holder, part time"',
]

/** The header of the file and the field that each column becomes. */
const COLUMNS = {
  'Personnel number': 'externalId',
  'Staff ID': 'employeeNumber',
  'First name': 'givenName',
  'Last name': 'familyName',
  'Work email': 'workEmail',
  Mobile: 'personalPhone',
  Language: 'preferredLanguage',
  'Job title': 'title',
  Department: 'department',
  Division: 'division',
  Company: 'organization',
  'Cost centre': 'costCenter',
  Store: 'locationName',
  'Line manager': 'manager',
  'Hire date': 'startDate',
} as const

/** The mapping of these files: 15 columns. */
export const peopleMapping: Mapping = {
  fields: Object.fromEntries(
    Object.entries(COLUMNS).map(([column, field]) => [field, field === 'startDate' ? { column, dateFormat: 'DMY' } : { column }]),
  ),
}

/** How many different stores the files name. */
export const STORES = 200
export const storeName = (index: number): string => `Store ${String(index).padStart(3, '0')}`

const pick = (list: readonly string[], index: number): string => list[index % list.length] ?? ''

/** One in a hundred has another title in each edition of a file. */
const EDITION = 100

const row = (n: number, edition: number): string =>
  [
    `P${200_000 + n}`,
    String(500_000 + n),
    pick(GIVEN, n * 7),
    `${pick(FAMILY, Math.floor(n / 16))} ${String.fromCharCode(65 + (n % 26))}${(n * 31) % 4999}`,
    `person.${n}@northwind.example`,
    `+44 7${String(100_000_000 + n * 7)}`,
    pick(['en-GB', 'en-GB', 'fr-FR', 'pl'], n),
    pick(TITLES, n * 3 + (edition > 0 && n % EDITION === edition % EDITION ? 1 : 0)),
    `Department ${n % 40}`,
    `Division ${n % 6}`,
    'Northwind Retail Ltd',
    `CC-${1000 + (n % 180)}`,
    storeName(n % (STORES + 20)),
    `P${200_000 + Math.floor(n / 12)}`,
    `${String(1 + (n % 28)).padStart(2, '0')}/${String(1 + (n % 12)).padStart(2, '0')}/${2008 + (n % 17)}`,
  ].join(',')

function* pieces(people: number, edition: number): Generator<string> {
  yield `${Object.keys(COLUMNS).join(',')}\r\n`
  for (let n = 0; n < people; n += 1000) {
    let text = ''
    for (let at = n; at < Math.min(n + 1000, people); at += 1) text += `${row(at, edition)}\r\n`
    yield text
  }
}

/**
 * Writes an HR export as a retailer's HR system would: UTF-8, CRLF, quotes where a cell needs them.
 *
 * @param edition 0 is the first; each other one differs from it in one person of a hundred, and from any other in two
 */
export const writePeopleFile = (path: string, people: number, edition = 0): Promise<void> =>
  pipeline(Readable.from(pieces(people, edition)), createWriteStream(path))
