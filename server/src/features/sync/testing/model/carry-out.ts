/** What carrying out a plan, taking a run back, dates and edits should make of the directory. */
import {
  type Base,
  type Directory,
  effectiveOf,
  type Override,
  type Person,
  rewrite,
  saidOf,
  splitCaughtUp,
  type Values,
} from './directory.ts'
import type { Change, Plan, Row } from './plan-feed.ts'
import { dayAt, type Site, siteAt, siteOf } from './sites.ts'

/** A run that was carried out, as far as it must be known to be taken back. */
export interface Done {
  readonly rows: readonly { readonly row: Row; readonly person: Person }[]
  readonly caughtUp: ReadonlyMap<Person, ReadonlyMap<string, Override>>
  /** Where people worked whose location did not say so. */
  readonly sites: ReadonlyMap<Person, Site>
  readonly applied: number
  readonly stale: number
}

const patched = ({ values, ...standing }: Base, change: Change): Base => {
  const { active, employment, placement } = { ...standing, ...change } as Omit<Base, 'values'>
  const { active: _, employment: __, placement: ___, ...fields } = change
  return { values: { ...values, ...(fields as Values) }, active, employment, placement }
}

const isTaken = (directory: Directory, id: unknown, but: Person | null): boolean =>
  directory.people.some((person) => person !== but && effectiveOf(person).values['externalId'] === id)

/** Rows about somebody known that can still be carried out. */
const freshChanges = (directory: Directory, rows: readonly Row[]) => {
  const known = rows.flatMap((row) =>
    row.person && row.kind !== 'conflict' && row.kind !== 'invalid' ? [{ row, person: row.person }] : [],
  )
  return known
    .filter(({ row, person }) => person.version === row.version)
    .filter(({ row, person }) => !('externalId' in row.after) || !isTaken(directory, row.after['externalId'], person))
}

/** Whether a run leaves a note of where somebody works before it says where they do. */
const isNoted = ({ after }: Row, { site }: Person, location: string | null): boolean =>
  'placement' in after || ('locationName' in after && site !== siteOf(location))

/** Whether somebody still works where the run that is taken back put them, so that they return to where they worked before. */
const isReturned = ({ after }: Row, { site, base }: Person, { location, held }: { location: string | null; held: boolean }): boolean =>
  'placement' in after ? site === siteAt(base.placement ?? 'none') : 'locationName' in after && site === siteOf(location) && !held

const changePeople = (fresh: readonly { row: Row; person: Person }[], { now }: Directory, undone?: Done) => {
  const caughtUp = new Map<Person, ReadonlyMap<string, Override>>()
  const sites = new Map<Person, Site>()
  for (const { row, person } of fresh) {
    const location = effectiveOf(person).values['locationName'] ?? null
    if (isNoted(row, person, location)) sites.set(person, person.site)
    const overrides = new Map(person.overrides)
    for (const [field, override] of undone?.caughtUp.get(person) ?? [])
      if (field in row.after && (override.until === null || override.until > now) && !overrides.has(field)) overrides.set(field, override)
    const stood = undone?.sites.get(person)
    const returns = stood !== undefined && isReturned(row, person, { location, held: overrides.has('locationName') })
    const base = patched(person.base, row.after)
    const split = splitCaughtUp(overrides, base)
    if (split.caughtUp.size > 0) caughtUp.set(person, split.caughtUp)
    rewrite(person, { at: now, base, overrides: split.left, ...(returns && { site: { given: stood } }) })
  }
  return { caughtUp, sites }
}

const createPerson = (directory: Directory, { after, key, said = '' }: Row): Person | undefined => {
  if (isTaken(directory, after['externalId'], null)) return undefined
  const base = patched({ values: {}, active: true, employment: null, placement: null }, after)
  const person: Person = {
    name: `p${directory.people.length + 1}`,
    base,
    overrides: new Map(),
    site: base.placement === null ? siteOf(base.values['locationName'] ?? null) : siteAt(base.placement),
    link: { key: key ?? '', said, missing: false },
    version: 1,
    off: !base.active && base.employment !== 'notStarted' ? directory.now : null,
  }
  directory.people.push(person)
  return person
}

const counted = (plan: readonly Row[], done: readonly unknown[]) => ({
  applied: done.length,
  stale: plan.filter(({ kind }) => kind !== 'conflict' && kind !== 'invalid').length - done.length,
})

/** Carries out a plan: people first, then what is remembered of the records. */
export const applyPlan = (directory: Directory, { rows, seen }: Plan): Done => {
  const fresh = freshChanges(directory, rows)
  const kept = changePeople(fresh, directory)
  const created = rows
    .filter(({ kind, person }) => (kind === 'create' || kind === 'future') && person === null)
    .flatMap((row) => {
      const person = createPerson(directory, row)
      return person ? [{ row, person }] : []
    })
  for (const { row, person } of fresh) {
    if (row.said === undefined) person.link = { ...person.link, missing: true }
    else person.link = { key: row.key ?? '', said: row.said, missing: false }
  }
  for (const person of directory.people) {
    const said = seen.get(person.link.key)
    if (said !== undefined) person.link = { ...person.link, said, missing: false }
  }
  const order = (row: Row) => rows.indexOf(row)
  const done = [...fresh, ...created].toSorted((a, b) => order(a.row) - order(b.row))
  return { ...kept, ...counted(rows, done), rows: done }
}

const LEFT = { active: false, employment: null }

const invert = ({ row, person }: Done['rows'][number]): Row => {
  const { values, ...standing } = person.base
  const now: Change = { ...values, ...standing }
  const created = Object.keys(row.before).length === 0
  const was: Change = created ? LEFT : row.before
  const wrote: Change = { employment: null, ...row.after }
  const given = Object.keys(was).filter((field) => (now[field] ?? null) !== was[field] && (now[field] ?? null) === (wrote[field] ?? null))
  const pick = (from: Change) => Object.fromEntries(given.map((field) => [field, from[field] ?? null]))
  const after = pick(was)
  const kind = 'active' in after ? (after['active'] ? 'reactivate' : 'deactivate') : 'update'
  return { kind: given.length === 0 ? 'conflict' : kind, key: person.link.key, person, version: person.version, before: pick(now), after }
}

/** What taking a run back would do. */
export const planUndo = (done: Done): Row[] => done.rows.map(invert)

/** Takes a run back; the source counts from the next run on as if it had said nothing yet. */
export const applyUndo = (directory: Directory, { plan, undone }: { plan: readonly Row[]; undone: Done }): Done => {
  const rows = freshChanges(directory, plan)
  const kept = changePeople(rows, directory, undone)
  for (const { person } of rows) {
    const { active, employment } = person.base
    person.link = { ...person.link, said: '', missing: !active && employment === null }
  }
  return { ...kept, ...counted(plan, rows), rows }
}

interface DueDate {
  readonly person: Person
  readonly ends: boolean
}

/** Whom start and end dates concern now. */
const dueDates = ({ people, now }: Directory): DueDate[] =>
  people.flatMap((person): DueDate[] => {
    if (person.link.missing) return []
    const { startDate: start = null, endDate: end = null } = effectiveOf(person).values
    const today = dayAt(person.site, now)
    const { employment, active } = person.base
    const over = end !== null && end < today
    const begun = start === null || start <= today
    if (over) return employment === 'notStarted' || (employment === null && active) ? [{ person, ends: true }] : []
    return employment !== null && begun ? [{ person, ends: false }] : []
  })

/** Lets start dates act, and end dates where they are not held; answers how many would end. */
export const passDates = (directory: Directory, { ends }: { ends: boolean }): number => {
  const due = dueDates(directory)
  for (const { person, ends: over } of due) {
    if (over && !ends) continue
    const base: Base = over ? { ...person.base, active: false, employment: 'ended' } : { ...person.base, active: true, employment: null }
    rewrite(person, { at: directory.now, base, overrides: splitCaughtUp(person.overrides, base).left })
  }
  return due.filter(({ ends: over }) => over).length
}

/** Takes back the overrides whose time is over. */
export const lapse = ({ people, now }: Directory): void => {
  for (const person of people) {
    const left = new Map([...person.overrides].filter(([, { until }]) => until === null || until > now))
    if (left.size < person.overrides.size) rewrite(person, { at: now, overrides: left, always: true })
  }
}

/** An administrator says something else than the source, or the same again. */
export const setOverride = (person: Person, { field, override, at }: { field: string; override: Override; at: number }): void => {
  const overrides = new Map(person.overrides)
  if (override.value === saidOf(person.base, field)) overrides.delete(field)
  else overrides.set(field, override)
  rewrite(person, { at, overrides, always: true })
}

export const clearOverride = (person: Person, { field, at }: { field: string; at: number }): void => {
  if (!person.overrides.has(field)) return
  const overrides = new Map(person.overrides)
  overrides.delete(field)
  rewrite(person, { at, overrides, always: true })
}

/** Everybody of one site goes to another, whatever their location says. */
export const movePeople = ({ people }: Directory, from: Site, to: Site): void => {
  for (const person of people) {
    if (person.site !== from) continue
    person.site = to
    person.version += 1
  }
}
