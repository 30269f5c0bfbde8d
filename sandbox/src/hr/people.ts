/** The people of a company on its first day, and how one person is made up. Everything follows from (seed, people). */
import { addressPart, COUNTRIES, type Country, written } from '../countries.ts'
import { createRandom, hash, type Random } from '../random.ts'
import type { WorldCompany, WorldDepartment, WorldSite } from '../world.ts'

/** Where a person stands in the tree: the heads report to the first head, leads to their department's head, members to a lead. */
export type Rank = 'head' | 'lead' | 'member'

/** One employee. Dates are `YYYY-MM-DD`; null is an empty cell. */
export interface Person {
  readonly externalId: string
  readonly employeeNumber: string
  readonly givenName: string
  readonly familyName: string
  readonly title: string
  readonly department: string
  readonly division: string
  readonly organization: string
  readonly costCentre: string
  readonly location: string
  readonly city: string
  readonly country: string
  readonly workEmail: string | null
  readonly personalEmail: string | null
  readonly mobile: string | null
  readonly language: string
  readonly managerId: string | null
  readonly startDate: string
  readonly endDate: string | null
  readonly employmentType: string
  readonly dateOfBirth: string
  readonly gender: string
  readonly rank: Rank
}

/** All that a day needs to know of the day before. Changed in place by `startOfDay`. */
export interface Staff {
  readonly people: Map<string, Person>
  /** External id of who runs a team, by `teamOf`. */
  readonly leads: Map<string, string>
  /** External id of a department's head, by department. */
  readonly heads: Map<string, string>
  /** How often a name and domain were given out, so that nobody gets another's e-mail address. */
  readonly addresses: Map<string, number>
  nextNumber: number
}

export interface Position {
  readonly site: WorldSite
  readonly department: WorldDepartment
  readonly rank: Rank
  readonly title: string
  readonly managerId: string | null
}

/** The Monday that day 1 falls on; dates of later days follow it. */
export const FIRST_DAY = '2026-01-05'

const DAY_MS = 86_400_000

/** The date `days` after another. */
export const addDays = (date: string, days: number): string => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** The date of a day of the sandbox; day 1 is `FIRST_DAY`. */
export const dateOf = (day: number): string => addDays(FIRST_DAY, day - 1)

export const teamOf = (site: string, department: string): string => `${site}|${department}`

export const sitesOf = (company: WorldCompany): WorldSite[] => company.siteGroups.flatMap((group) => group.sites)

/** What a place and a job say about a person: used when hired and when moved. */
export const placing = (company: WorldCompany, { site, department, ...position }: Position) => ({
  title: position.title,
  department: department.name,
  division: department.division,
  costCentre: department.costCentre,
  organization: `${company.name} ${COUNTRIES[site.country].legalForm}`,
  location: site.name,
  city: site.city,
  country: site.country,
  managerId: position.managerId,
  rank: position.rank,
})

/** Different for each number: the step shares no factor with the range. */
const mobileOf = (country: Country, number: number): string => {
  const range = 10_000_000 - country.firstDigit * 1_000_000
  const digits = country.firstDigit * 1_000_000 + ((number * 7_654_321) % range)
  return `${country.mobilePrefix}${String(digits).padStart(7, '0')}`
}

/** The first free address among `anna.berg@`, `anna.berg2@` … */
const takeAddress = (addresses: Map<string, number>, name: string, domain: string): string => {
  const key = `${name}@${domain}`
  const number = (addresses.get(key) ?? 0) + 1
  addresses.set(key, number)
  return number === 1 ? key : `${name}${number}@${domain}`
}

const EMPLOYMENT = [
  { name: 'Full-time', share: 62 },
  { name: 'Part-time', share: 30 },
  { name: 'Apprentice', share: 5 },
  { name: 'Fixed-term', share: 3 },
]

const GENDERS = [
  { name: 'Female', share: 50 },
  { name: 'Male', share: 48 },
  { name: 'Non-binary', share: 2 },
]

const PERSONAL_DOMAINS = ['inbox.example', 'mailbox.example', 'post.example']
const LANGUAGE_BESIDES = ['en-GB', 'fr-FR', 'pl-PL', 'ar-EG', 'pt-PT']

const nameOf = (country: Country, random: Random) => {
  const gender = random.weighted(GENDERS).name
  const given = random.pick(gender === 'Female' || (gender === 'Non-binary' && random.chance(0.5)) ? country.female : country.male)
  return { gender, given, family: random.pick(country.family) }
}

/** Hires one person into a position and returns the record; `startDate` is `YYYY-MM-DD`. */
export const hire = (
  { company, staff, random }: { company: WorldCompany; staff: Staff; random: Random },
  position: Position,
  startDate: string,
): Person => {
  const country = COUNTRIES[position.site.country]
  const number = staff.nextNumber
  staff.nextNumber += 1
  const { gender, given, family } = nameOf(country, random)
  const address = `${addressPart(given)}.${addressPart(family)}`
  const employmentType = position.rank === 'member' ? random.weighted(EMPLOYMENT).name : 'Full-time'
  const deskBased = position.department.deskBased || position.rank === 'head'
  const person: Person = {
    externalId: `${company.externalIdPrefix}-${number}`,
    employeeNumber: String(40_000 + ((hash(company.slug) % 1000) + number - 100_000)),
    givenName: written(given),
    familyName: written(family),
    ...placing(company, position),
    workEmail: deskBased ? takeAddress(staff.addresses, address, company.emailDomain) : null,
    personalEmail: random.chance(0.92) ? takeAddress(staff.addresses, address, random.pick(PERSONAL_DOMAINS)) : null,
    mobile: random.chance(0.94) ? mobileOf(country, number - 100_000) : null,
    language: random.chance(0.92) ? country.language : random.pick(LANGUAGE_BESIDES),
    startDate,
    endDate: employmentType === 'Fixed-term' ? addDays(FIRST_DAY, random.between(400, 1200)) : null,
    employmentType,
    dateOfBirth: addDays(startDate, -random.between((position.rank === 'member' ? 18 : 30) * 366, 44 * 365)),
    gender,
  }
  staff.people.set(person.externalId, person)
  return person
}

/** A place for one more person: the lead of a team that has none, else a member of it. */
export const findPosition = (
  { company, staff, random }: { company: WorldCompany; staff: Staff; random: Random },
  site: WorldSite = random.weighted(sitesOf(company)),
  department: WorldDepartment = random.weighted(company.departments),
): Position => {
  const lead = staff.leads.get(teamOf(site.name, department.name))
  const managerId = lead ?? staff.heads.get(department.name) ?? staff.heads.values().next().value ?? null
  return lead === undefined
    ? { site, department, rank: 'lead', title: department.lead, managerId }
    : { site, department, rank: 'member', title: random.pick(department.titles), managerId }
}

/** The staff of the first day. `size` is how many; at least one. */
export const firstStaff = (company: WorldCompany, size: number, seed: number): Staff => {
  const random = createRandom(seed, company.slug, size, 'first day')
  const staff: Staff = { people: new Map(), leads: new Map(), heads: new Map(), addresses: new Map(), nextNumber: 100_000 }
  const sites = sitesOf(company)
  for (let index = 0; index < size; index += 1) {
    const department = company.departments[index]
    const site = sites[0]
    const managerId = staff.heads.values().next().value ?? null
    const position =
      department && site
        ? ({ site, department, rank: 'head', title: department.head, managerId } as const)
        : findPosition({ company, staff, random })
    const person = hire({ company, staff, random }, position, addDays(FIRST_DAY, -random.between(1, 6500)))
    if (position.rank === 'head') staff.heads.set(position.department.name, person.externalId)
    if (position.rank === 'lead') staff.leads.set(teamOf(position.site.name, position.department.name), person.externalId)
  }
  return staff
}
