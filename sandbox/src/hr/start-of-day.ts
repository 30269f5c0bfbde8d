/** What happens between one day and the next: people join, move and leave. Everything follows from (seed, people, day). */
import { addressPart, COUNTRIES, written } from '../countries.ts'
import { createRandom, type Random } from '../random.ts'
import type { WorldCompany, WorldDepartment, WorldSite } from '../world.ts'
import { dateOf, findPosition, hire, type Person, placing, type Staff, sitesOf, teamOf } from './people.ts'

export interface DayChange {
  readonly kind: 'joiner' | 'mover' | 'leaver'
  readonly externalId: string
  readonly name: string
  /** In words, for a reader. */
  readonly what: string
}

interface Day {
  readonly company: WorldCompany
  readonly staff: Staff
  readonly random: Random
  readonly changes: DayChange[]
}

const LARGEST_TEAM_THAT_LOSES_ITS_LEAD = 8

const nameOf = (person: Person): string => `${person.givenName} ${person.familyName}`

const note = (day: Day, person: Person, { kind, what }: Pick<DayChange, 'kind' | 'what'>) => {
  day.changes.push({ kind, externalId: person.externalId, name: nameOf(person), what })
}

const move = (day: Day, person: Person, { what, ...change }: Partial<Person> & { what: string }) => {
  const moved = { ...person, ...change }
  day.staff.people.set(moved.externalId, moved)
  note(day, moved, { kind: 'mover', what })
}

/** About one in a hundred, at least one; none where that would be a large part of the company. */
const aHundredth = (day: Day, size: number): number => (size < 10 ? 0 : Math.max(1, Math.round((size * day.random.between(7, 12)) / 1000)))

/** Up to `count` different people, none twice. */
const draw = (random: Random, people: readonly Person[], count: number): Person[] => {
  const drawn = new Map<string, Person>()
  const wanted = Math.min(count, people.length)
  while (drawn.size < wanted) {
    const person = random.pick(people)
    drawn.set(person.externalId, person)
  }
  return [...drawn.values()]
}

const leave = (day: Day, person: Person) => {
  day.staff.people.delete(person.externalId)
  note(day, person, { kind: 'leaver', what: `Left ${person.department}, ${person.location}` })
}

/** A lead goes, a member of the team is promoted, and the others report to the successor; without one they report to the department's head. */
const succeed = (day: Day, lead: Person, reports: readonly Person[]) => {
  const team = teamOf(lead.location, lead.department)
  const successor = reports.find((person) => teamOf(person.location, person.department) === team)
  leave(day, lead)
  if (successor) {
    day.staff.leads.set(team, successor.externalId)
    const what = `Promoted from ${successor.title} to ${lead.title}`
    move(day, successor, { title: lead.title, managerId: lead.managerId, rank: 'lead', what })
  } else {
    day.staff.leads.delete(team)
  }
  for (const person of reports) {
    if (person === successor) continue
    const managerId = successor?.externalId ?? lead.managerId
    move(day, person, { managerId, what: `Manager changed when ${nameOf(lead)} left` })
  }
}

const reportsByLead = (staff: Staff): Map<string, Person[]> => {
  const reports = new Map<string, Person[]>()
  for (const person of staff.people.values()) {
    if (person.managerId === null) continue
    const found = reports.get(person.managerId)
    if (found) found.push(person)
    else reports.set(person.managerId, [person])
  }
  return reports
}

const loseOneLead = (day: Day) => {
  const reports = reportsByLead(day.staff)
  const small = [...day.staff.leads.values()].flatMap((id) => {
    const lead = day.staff.people.get(id)
    const members = reports.get(id) ?? []
    return lead && members.length <= LARGEST_TEAM_THAT_LOSES_ITS_LEAD ? [{ lead, members }] : []
  })
  if (small.length === 0) return
  const { lead, members } = day.random.pick(small)
  succeed(day, lead, members)
}

/** To the same department elsewhere, or to another department of the same kind in the same place. */
const transfer = (day: Day, person: Person, to: { site: WorldSite; department: WorldDepartment }) => {
  const position = findPosition(day, to.site, to.department)
  if (position.rank === 'lead') day.staff.leads.set(teamOf(to.site.name, to.department.name), person.externalId)
  const from = to.site.name === person.location ? person.department : person.location
  const where = to.site.name === person.location ? to.department.name : to.site.name
  move(day, person, { ...placing(day.company, position), what: `Moved from ${from} to ${where} as ${position.title}` })
}

const changeSite = (day: Day, person: Person) => {
  const site = day.random.weighted(sitesOf(day.company).filter((each) => each.name !== person.location))
  const department = day.company.departments.find((each) => each.name === person.department)
  if (department) transfer(day, person, { site, department })
}

const changeDepartment = (day: Day, person: Person) => {
  const { departments } = day.company
  const deskBased = departments.find((each) => each.name === person.department)?.deskBased
  const others = departments.filter((each) => each.name !== person.department && each.deskBased === deskBased)
  const site = sitesOf(day.company).find((each) => each.name === person.location)
  if (site && others.length > 0) transfer(day, person, { site, department: day.random.weighted(others) })
  else changeSite(day, person)
}

const changeTitle = (day: Day, person: Person) => {
  const titles = day.company.departments.find((each) => each.name === person.department)?.titles ?? []
  const others = titles.filter((title) => title !== person.title)
  if (others.length === 0) return changeSite(day, person)
  const title = day.random.pick(others)
  move(day, person, { title, what: `${person.title} became ${title}` })
}

const changeName = (day: Day, person: Person) => {
  const country = Object.values(COUNTRIES).find((each) => each.language === person.language) ?? COUNTRIES.GB
  const family = written(day.random.pick(country.family.filter((each) => addressPart(each) !== addressPart(person.familyName))))
  move(day, person, { familyName: family, what: `Family name changed from ${person.familyName} to ${family}` })
}

const changeManager = (day: Day, person: Person) => {
  const leads = [...day.staff.leads.values()].flatMap((id) => day.staff.people.get(id) ?? [])
  const others = leads.filter((lead) => lead.department === person.department && lead.externalId !== person.managerId)
  if (others.length === 0) return changeTitle(day, person)
  const lead = day.random.pick(others)
  move(day, person, { managerId: lead.externalId, what: `Reports to ${nameOf(lead)} from today` })
}

const MOVES = [changeSite, changeDepartment, changeTitle, changeTitle, changeName, changeManager]

/**
 * Turns the staff of the day before into that of `day` (2 or later), in place, and says what changed. Leavers stay at about one in a
 * hundred: below the share at which a careful reader of the export would stop.
 */
export const startOfDay = (world: { company: WorldCompany; staff: Staff; seed: number; size: number }, dayNumber: number): DayChange[] => {
  const { company, staff, seed, size } = world
  const day: Day = { company, staff, random: createRandom(seed, company.slug, size, 'day', dayNumber), changes: [] }
  const before = staff.people.size
  const leavers = aHundredth(day, before)
  if (leavers >= 3) loseOneLead(day)
  const left = day.changes.filter((change) => change.kind === 'leaver').length
  const touched = new Set(day.changes.map((change) => change.externalId))
  const members = [...staff.people.values()].filter((person) => person.rank === 'member' && !touched.has(person.externalId))
  const drawn = draw(day.random, members, leavers - left + aHundredth(day, before) * 2)
  for (const [index, person] of drawn.entries()) {
    if (index < leavers - left) leave(day, person)
    else day.random.pick(MOVES)(day, person)
  }
  for (let count = aHundredth(day, before); count > 0; count -= 1) {
    const position = findPosition(day)
    const person = hire(day, position, dateOf(dayNumber))
    if (position.rank === 'lead') staff.leads.set(teamOf(position.site.name, position.department.name), person.externalId)
    note(day, person, { kind: 'joiner', what: `Joined ${person.department}, ${person.location}, as ${person.title}` })
  }
  return day.changes
}
