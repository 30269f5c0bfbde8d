/** What a run over a file should plan, record by record. */
import { type Base, type Directory, effectiveOf, type Person, type Values } from './directory.ts'
import { departmentCells, departmentOf, type Employee, type Reading } from './hr.ts'
import { moveWithTime, placedBy } from './placement.ts'
import { dayAt, type Placement, type Site, siteAt, siteOf } from './sites.ts'

export type Kind = 'create' | 'update' | 'deactivate' | 'reactivate' | 'future' | 'leave' | 'conflict' | 'invalid'
export type Change = Record<string, unknown>

export interface Row {
  readonly kind: Kind
  readonly key: string | null
  /** Null: somebody new, or nobody. */
  readonly person: Person | null
  readonly version: number
  readonly before: Change
  readonly after: Change
  /** What the record said; undefined where there is none. */
  readonly said?: string
  /** What the row asks a person. */
  readonly asks?: string
}

/** A file with the mapping that reads it. */
export interface Feed {
  readonly records: readonly Employee[]
  readonly reading: Reading
  /** Grows with every other mapping, and with other rules of placement. */
  readonly mapping: number
}

export interface Plan {
  readonly rows: readonly Row[]
  readonly ignored: number
  readonly unchanged: number
  readonly feed: Feed
  /** What the records said that the plan does not name. */
  readonly seen: ReadonlyMap<string, string>
}

const isDay = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().slice(0, 10) === text

/** What a record says; undefined: it cannot be used. */
const valuesOf = (record: Employee, { reading }: Feed): Values | undefined => {
  const { id, number, first, last, store, boss, start, end, mail } = record
  if ([id, first, last].includes('') || [start, end].some((day) => day !== '' && !isDay(day))) return undefined
  const department = departmentOf(record, reading)
  if (department === null) return undefined
  const all = {
    externalId: id,
    employeeNumber: number,
    givenName: first,
    familyName: last,
    displayName: `${first} ${last}`,
    locationName: store,
    manager: boss,
    startDate: start,
    endDate: end,
    workEmail: mail,
    accessCodeDelivery: mail ? 'email.work' : 'none',
  }
  const values = Object.fromEntries(Object.entries(all).map(([field, value]) => [field, value.trim() || null]))
  return department.says === undefined ? values : { ...values, department: department.says }
}

export const saysOf = (record: Employee, { reading, mapping }: Feed): string => {
  const { dept: _, team: __, ...others } = record
  return JSON.stringify([mapping, departmentCells(record, reading), others])
}

/** Who a record is that is linked to nobody. */
type Verdict =
  | { readonly is: 'new' | 'ignored' }
  | { readonly is: 'link'; readonly person: Person }
  | { readonly is: 'asked'; readonly kind: string; readonly people: readonly Person[] }

const plain = (text: string | null | undefined): string => (text ?? '').toLowerCase().replace(/[ -]/g, '').replace(/^0+/, '')

const findBy = (directory: Directory, record: Employee, key: Directory['keys'][number]): Person[] =>
  directory.people.filter((person) => {
    const { externalId, employeeNumber } = effectiveOf(person).values
    if (key === 'ExternalId') return externalId === record.id
    if (!record.number || !employeeNumber) return false
    return key === 'EmployeeId' ? employeeNumber === record.number : plain(employeeNumber) === plain(record.number)
  })

const searchFor = (directory: Directory, record: Employee) => {
  const byKey = directory.cases.get(record.id)?.answer === 'create' ? [] : directory.keys.map((key) => findBy(directory, record, key))
  const keyed = byKey.find((found) => found.length > 0) ?? []
  return { keyed, all: [...new Set([...keyed, ...findBy(directory, record, 'ExternalId')])] }
}

const verdictsOf = (directory: Directory, { records }: Feed): Map<Employee, Verdict> => {
  const linked = new Set(directory.people.map(({ link }) => link.key))
  const unlinked = records.filter(({ id }) => id !== '' && !linked.has(id))
  const asked = unlinked.filter(({ id }) => directory.cases.get(id)?.answer !== 'ignore')
  const found = new Map(asked.map((record) => [record, searchFor(directory, record)]))
  const claims = (person: Person) => [...found.values()].filter(({ keyed }) => keyed.includes(person)).length
  const here = new Set(records.map(({ id }) => id))
  const decide = (record: Employee): Verdict => {
    const { keyed = [], all = [] } = found.get(record) ?? {}
    const [one] = all
    if (!one) return { is: 'new' }
    if (all.length > 1) return { is: 'asked', kind: 'ambiguous', people: all }
    if (here.has(one.link.key) || claims(one) > 1) return { is: 'asked', kind: 'claimed', people: all }
    return keyed.length === 0 ? { is: 'asked', kind: 'adopt', people: all } : { is: 'link', person: one }
  }
  return new Map(unlinked.map((record) => [record, found.has(record) ? decide(record) : { is: 'ignored' as const }]))
}

/** Where rules put somebody; undefined: they never had to do with them. */
interface Place {
  readonly before: Placement | null
  readonly after: Placement | null
  /** Whether the source names another site than before. */
  readonly moves: boolean
  /** Where they will work. */
  readonly site: Site
}

/** What an administrator says of a field, else the source. */
const countingOf = (values: Values, person: Person | null) => (field: string) => {
  const override = person?.overrides.get(field)
  return override ? (override.value as string | null) : (values[field] ?? null)
}

const placeOf = (values: Values, person: Person | null, { rules, now }: Directory): Place | undefined => {
  const before = person?.base.placement ?? null
  const placed = placedBy(rules, { ...person?.base.values, ...values }, now)
  if (placed === null && before === null) return undefined
  const location = countingOf(values, person)('locationName')
  const names = placed ?? siteOf(location) ?? 'none'
  const was = before ?? (person && (siteOf(effectiveOf(person).values['locationName'] ?? null) ?? 'none'))
  const moves = names !== was
  return { before, after: placed, moves, site: moves || !person?.site ? siteAt(names) : person.site }
}

/** Where the dates that count put somebody, on the day that it is where they will work. */
const standingOf = (values: Values, person: Person | null, { place, now }: { place: Place | undefined; now: number }) => {
  const counting = countingOf(values, person)
  const [start, end, location] = [counting('startDate'), counting('endDate'), counting('locationName')]
  const stays = person !== null && person.site !== null && location === (effectiveOf(person).values['locationName'] ?? null)
  const today = dayAt(place ? place.site : stays ? person.site : siteOf(location), now)
  const ended = end !== null && end < today
  const employment: Base['employment'] = ended ? 'ended' : start !== null && start > today ? 'notStarted' : null
  return { employment, end }
}

const changeKind = (after: Change, { employment, end }: ReturnType<typeof standingOf>): Kind => {
  if (employment === 'notStarted') return 'future'
  if (after['active'] === true) return 'reactivate'
  if (after['employment'] === 'ended') return after['active'] === false ? 'deactivate' : 'update'
  return employment === null && end !== null && after['endDate'] === end ? 'leave' : 'update'
}

/** What becomes of somebody known, or undefined where nothing does. */
const planKnown = (person: Person, values: Values, directory: Directory): Pick<Row, 'kind' | 'before' | 'after'> | undefined => {
  const place = placeOf(values, person, directory)
  const standing = standingOf(values, person, { place, now: directory.now })
  const { base } = person
  const is: Change = { ...values, employment: standing.employment, active: standing.employment === null }
  const was: Change = { ...base.values, employment: base.employment, active: base.active }
  const fields = Object.keys(is).filter((field) => (was[field] ?? null) !== is[field])
  // where somebody is said to belong that they do already is written only beside something else
  const tells = place !== undefined && place.before !== place.after && (place.moves || fields.length > 0)
  if (fields.length === 0 && !tells) return undefined
  const before = Object.fromEntries(fields.map((field) => [field, was[field] ?? null]))
  const after = Object.fromEntries(fields.map((field) => [field, is[field]]))
  const placed = (placement: Placement | null | undefined) => (tells ? { placement } : {})
  return {
    kind: changeKind(after, standing),
    before: { ...before, ...placed(place?.before) },
    after: { ...after, ...placed(place?.after) },
  }
}

const planNew = (values: Values, directory: Directory): Pick<Row, 'kind' | 'before' | 'after'> => {
  const place = placeOf(values, null, directory)
  const { employment } = standingOf(values, null, { place, now: directory.now })
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const after = { ...given, active: employment === null, ...(employment && { employment }), ...(place && { placement: place.after }) }
  return { kind: employment === 'notStarted' ? 'future' : 'create', before: {}, after }
}

const planLeaver = (person: Person, uncertain: boolean): Row => {
  const row = { key: person.link.key, person, version: person.version }
  if (uncertain) return { ...row, kind: 'conflict', before: {}, after: {} }
  const { active, employment } = person.base
  return !active && employment
    ? { ...row, kind: 'update', before: { employment }, after: { employment: null } }
    : { ...row, kind: 'deactivate', before: { active: true }, after: { active: false } }
}

interface Planning {
  readonly directory: Directory
  readonly feed: Feed
  readonly verdicts: ReadonlyMap<Employee, Verdict>
}

const planLeavers = ({ directory, feed, verdicts }: Planning): Row[] => {
  const here = new Set(feed.records.map(({ id }) => id))
  const all = [...verdicts.values()]
  const unreadable = here.has('')
  return directory.people
    .filter(({ link }) => !link.missing && !here.has(link.key))
    .filter((person) => !all.some((verdict) => verdict.is === 'link' && verdict.person === person))
    .toSorted((a, b) => (a.link.key < b.link.key ? -1 : 1))
    .map((person) => planLeaver(person, unreadable || all.some((verdict) => verdict.is === 'asked' && verdict.people.includes(person))))
}

const planRecord = ({ directory, feed, verdicts }: Planning, record: Employee): Row | 'ignored' | undefined => {
  const same = feed.records.filter(({ id }) => id === record.id).length
  const verdict = verdicts.get(record)
  if (verdict?.is === 'ignored' && same === 1) return 'ignored'
  const linked = directory.people.find(({ link }) => link.key === record.id)
  const said = saysOf(record, feed)
  const isKnown = linked !== undefined && same === 1 && linked.link.said === said && !linked.link.missing
  if (isKnown && !moveWithTime(directory.rules)) return undefined
  const person = linked ?? (verdict?.is === 'link' ? verdict.person : null)
  const key = record.id || null
  const row = { key, person, version: person?.version ?? 0, said, before: {}, after: {} }
  const values = valuesOf(record, feed)
  if (!values) return { ...row, kind: 'invalid' }
  if (same > 1) return { ...row, kind: 'conflict' }
  if (verdict?.is === 'asked') return { ...row, kind: 'conflict', asks: verdict.kind }
  if (!person) return { ...row, ...planNew(values, directory) }
  const known = planKnown(person, values, directory)
  return known && { ...row, ...known }
}

/** Plans a file. Changes nothing but the cases. */
export const planFeed = (directory: Directory, feed: Feed): Plan => {
  const planning = { directory, feed, verdicts: verdictsOf(directory, feed) }
  const leavers = planLeavers(planning)
  const planned = feed.records.map((record) => planRecord(planning, record))
  const records = planned.filter((row) => row !== undefined && row !== 'ignored')
  const ignored = planned.filter((row) => row === 'ignored').length
  const rows = [...leavers, ...records]
  const named = new Set(rows.map(({ key }) => key))
  const seen = new Map(feed.records.filter(({ id }) => !named.has(id)).map((record) => [record.id, saysOf(record, feed)]))
  keepCases(directory, rows)
  return { rows, ignored, unchanged: feed.records.length - records.length - ignored, feed, seen }
}

const keepCases = ({ cases }: Directory, rows: readonly Row[]): void => {
  for (const { key, asks } of rows) if (key !== null && asks) cases.set(key, { kind: asks, answer: null })
  const disputed = new Set(rows.filter(({ kind }) => kind === 'conflict' || kind === 'invalid').map(({ key }) => key))
  for (const [key, { answer }] of cases) if (answer === null && !disputed.has(key)) cases.delete(key)
}
