import { isObject, type Json, type JsonObject } from './json.ts'
import { ENTERPRISE_ID } from './scim-schemas.ts'

/** A stored user as the sync reads them: the resource with its id and the names of the groups. */
export interface PushedPerson {
  readonly id: string
  readonly resource: JsonObject
  readonly groups: readonly string[]
}

/** Only the names of very many groups are longer; far below what the sync takes. */
const LONGEST_CELL = 300_000

const at = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((held, name) => (isObject(held) ? held[name] : undefined), value)

const text = (value: Json | undefined): string => {
  if (value === undefined || value === null) return ''
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return written.slice(0, LONGEST_CELL).toWellFormed()
}

/** The value of a type; where no value says its type, the primary one, or the first. */
const ofType = (list: Json | undefined, type: string): Json | undefined => {
  const values: readonly Json[] = Array.isArray(list) ? list : []
  const kind = (each: Json) => String(at(each, 'type') ?? '').toLowerCase()
  const typed = values.filter((each) => kind(each) === type)
  const found = typed.find((each) => at(each, 'primary') === true) ?? typed[0]
  if (found !== undefined || type !== 'work' || values.some((each) => kind(each) !== '')) return found
  return values.find((each) => at(each, 'primary') === true) ?? values[0]
}

type Column = readonly [header: string, cell: (person: PushedPerson) => Json | undefined]

const plain = (name: string): Column => [name, ({ resource }) => resource[name]]
const part = (...names: readonly string[]): Column => [names.join('.'), ({ resource }) => at(resource, ...names)]
const typed = (list: string, type: string): Column => [`${list}[${type}]`, ({ resource }) => at(ofType(resource[list], type), 'value')]
const address = (name: string): Column => [`addresses[work].${name}`, ({ resource }) => at(ofType(resource['addresses'], 'work'), name)]
const enterprise = (...names: readonly string[]): Column => [names.join('.'), ({ resource }) => at(resource[ENTERPRISE_ID], ...names)]

const joined = (list: Json | undefined): string =>
  (Array.isArray(list) ? list : []).map((each: Json) => text(at(each, 'value') ?? each)).join('; ')

const COLUMNS: readonly Column[] = [
  ['id', ({ id }) => id],
  plain('externalId'),
  plain('userName'),
  plain('active'),
  plain('displayName'),
  ...['givenName', 'familyName', 'formatted', 'middleName', 'honorificPrefix', 'honorificSuffix'].map((name) => part('name', name)),
  ...['nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'profileUrl'].map(plain),
  typed('emails', 'work'),
  typed('emails', 'home'),
  ...['work', 'mobile', 'home', 'fax'].map((type) => typed('phoneNumbers', type)),
  ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'].map(address),
  ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map((name) => enterprise(name)),
  enterprise('manager', 'value'),
  enterprise('manager', 'displayName'),
  ['groups', ({ groups }) => groups.join('; ')],
  ['roles', ({ resource }) => joined(resource['roles'])],
  ['entitlements', ({ resource }) => joined(resource['entitlements'])],
]

const NAME = /^[A-Za-z$][\w$-]*$/

/** An attribute of an extension as a column; `key` is the same for names that differ only in case. */
interface ExtensionCell {
  readonly key: string
  readonly name: string
  readonly text: string
}

/** The attributes of extensions that nobody here knows, as cells: the schema, a colon, and the path of the attribute in it. */
export const extensionCells = (resource: JsonObject): ExtensionCell[] => {
  const cellsOf = (value: Json, name: string, depth: number): ExtensionCell[] => {
    if (isObject(value) && depth > 0 && Object.keys(value).every((inner) => NAME.test(inner)))
      return Object.entries(value).flatMap(([inner, each]) => cellsOf(each, `${name}.${inner}`, depth - 1))
    return [{ key: name.toLowerCase(), name, text: Array.isArray(value) ? joined(value) : text(value) }]
  }
  return Object.entries(resource).flatMap(([urn, members]) => {
    if (!/^urn:/i.test(urn) || urn === ENTERPRISE_ID || !isObject(members)) return []
    return Object.entries(members).flatMap(([name, value]) => cellsOf(value, `${urn}:${name}`, 2))
  })
}

/** The header of the table: the same for everybody, then the extensions' attributes that somebody has. */
export const peopleHeader = (extensions: readonly string[]): string[] => [...COLUMNS.map(([header]) => header), ...extensions]

/** A person as a row under that header; `extensions` by key. */
export const personCells = (person: PushedPerson, extensions: readonly string[]): string[] => {
  const own = new Map(extensions.length > 0 ? extensionCells(person.resource).map((cell) => [cell.key, cell.text]) : [])
  return [...COLUMNS.map(([, cell]) => text(cell(person))), ...extensions.map((key) => own.get(key) ?? '')]
}

const cellText = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line of CSV (RFC 4180), cells exactly as they are: a program reads it, not a spreadsheet. */
export const peopleLine = (cells: readonly string[]): string => `${cells.map(cellText).join(',')}\r\n`
