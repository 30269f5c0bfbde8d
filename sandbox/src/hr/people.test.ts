import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { COMPANIES, type WorldCompany } from '../world.ts'
import { firstStaff, type Person, type Staff, sitesOf } from './people.ts'
import { type DayChange, startOfDay } from './start-of-day.ts'

const company = (slug: string): WorldCompany => {
  const found = COMPANIES.find((each) => each.slug === slug)
  if (!found) throw new Error(slug)
  return found
}

const northwind = company('northwind')
const contoso = company('contoso')

/** The staff of a day and every day's changes on the way. */
const staffOn = (day: number, world: { company: WorldCompany; size: number; seed: number }): { staff: Staff; changes: DayChange[][] } => {
  const staff = firstStaff(world.company, world.size, world.seed)
  const changes: DayChange[][] = []
  for (let each = 2; each <= day; each += 1) changes.push(startOfDay({ ...world, staff }, each))
  return { staff, changes }
}

const ofKind = (changes: readonly DayChange[], kind: DayChange['kind']) => changes.filter((change) => change.kind === kind)

/** Steps from a person up to whoever reports to nobody; throws on a cycle or on a manager who is not there. */
const height = (people: ReadonlyMap<string, Person>, person: Person): number => {
  let steps = 0
  for (let each = person; each.managerId !== null; steps += 1) {
    const manager = people.get(each.managerId)
    if (!manager) throw new Error(`${each.externalId} reports to ${each.managerId}, who is not there`)
    if (steps > 10) throw new Error(`${person.externalId} stands in a cycle`)
    each = manager
  }
  return steps
}

const WORLDS = [
  { company: northwind, size: 1000, seed: 1 },
  { company: northwind, size: 300, seed: 7 },
  { company: northwind, size: 37, seed: 3 },
  { company: contoso, size: 60, seed: 1 },
  { company: contoso, size: 60, seed: 99 },
]

describe.each(WORLDS)('the people of $company.name, $size of them, seed $seed', (world) => {
  const days = 40
  const { staff, changes } = staffOn(days, world)
  const people = [...staff.people.values()]

  it('are the same when told again, on any day', () => {
    const again = staffOn(days, world)
    expect([...again.staff.people.values()]).toEqual(people)
    expect(again.changes).toEqual(changes)
  })

  it('differ with the seed', () => {
    expect([...staffOn(1, { ...world, seed: world.seed + 1 }).staff.people.values()]).not.toEqual([
      ...staffOn(1, world).staff.people.values(),
    ])
  })

  it('are as many as asked on the first day', () => {
    expect(staffOn(1, world).staff.people.size).toBe(world.size)
  })

  it('report to people who are there, to one top, without a cycle', () => {
    const heights = people.map((person) => height(staff.people, person))
    expect(heights.filter((steps) => steps === 0)).toHaveLength(1)
    expect(Math.max(...heights)).toBeLessThanOrEqual(3)
  })

  it('have ids, employee numbers, addresses and mobile numbers of their own', () => {
    const unique = (values: readonly (string | null)[]) => {
      const given = values.filter((value) => value !== null)
      expect(new Set(given).size).toBe(given.length)
    }
    unique(people.map((person) => person.externalId))
    unique(people.map((person) => person.employeeNumber))
    unique(people.map((person) => person.workEmail))
    unique(people.map((person) => person.personalEmail))
    unique(people.map((person) => person.mobile))
  })

  it('have a title of their department and a place of their company', () => {
    const sites = new Map(sitesOf(world.company).map((site) => [site.name, site]))
    for (const person of people) {
      const department = world.company.departments.find((each) => each.name === person.department)
      expect([department?.head, department?.lead, ...(department?.titles ?? [])]).toContain(person.title)
      expect(sites.get(person.location)).toMatchObject({ city: person.city, country: person.country })
    }
  })

  it('never lose enough people in a day to look like a broken export', () => {
    let active = world.size
    for (const day of changes) {
      const leavers = ofKind(day, 'leaver').length
      if (world.size >= 60) expect(leavers).toBeGreaterThanOrEqual(1)
      expect(leavers).toBeLessThanOrEqual(Math.max(5, Math.floor(active / 10)))
      expect(leavers).toBeLessThanOrEqual(Math.ceil(active * 0.02))
      active += ofKind(day, 'joiner').length - leavers
    }
    expect(active).toBe(people.length)
  })

  it('change once a day at most', () => {
    for (const day of changes) expect(new Set(day.map((change) => change.externalId)).size).toBe(day.length)
  })
})

describe('the people of Northwind', () => {
  const people = [...firstStaff(northwind, 1000, 1).people.values()]

  it('have a work e-mail address at a desk only', () => {
    const share = people.filter((person) => person.workEmail !== null).length / people.length
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.42)
    const desk = new Map(northwind.departments.map((department) => [department.name, department.deskBased]))
    for (const person of people) {
      if (person.rank !== 'head') expect(person.workEmail !== null, person.externalId).toBe(desk.get(person.department))
    }
  })

  it('write their names with accents, apostrophes and other scripts', () => {
    const names = people.flatMap((person) => [person.givenName, person.familyName])
    expect(names.some((name) => /[éöñ]/.test(name))).toBe(true)
    expect(names.some((name) => name.includes("'"))).toBe(true)
    expect(names.some((name) => /\p{Script=Thai}/u.test(name))).toBe(true)
    expect(names.some((name) => name.includes('|'))).toBe(false)
  })

  it('have addresses of plain letters', () => {
    for (const { workEmail, personalEmail } of people) {
      for (const address of [workEmail, personalEmail]) if (address) expect(address).toMatch(/^[a-z]+\.[a-z]+\d*@[a-z]+\.example$/)
    }
  })

  it('are grown up when they start, and leave after they came', () => {
    for (const person of people) {
      expect(Date.parse(person.startDate) - Date.parse(person.dateOfBirth)).toBeGreaterThan(18 * 365 * 86_400_000)
      if (person.endDate) expect(person.endDate > person.startDate).toBe(true)
    }
  })

  it('take part in each kind of move within some weeks', () => {
    const { changes } = staffOn(30, { company: northwind, size: 1000, seed: 1 })
    const texts = changes.flat().map((change) => change.what)
    for (const kind of [/^Moved from/, / became /, /^Family name changed/, /^Reports to/, /^Promoted/, /^Joined/, /^Left/]) {
      expect(
        texts.some((text) => kind.test(text)),
        String(kind),
      ).toBe(true)
    }
  })
})

describe('the generator', () => {
  it('gives the same numbers for the same parts and others for others', () => {
    const take = (...parts: (string | number)[]) => {
      const random = createRandom(...parts)
      return Array.from({ length: 5 }, () => random.between(0, 1_000_000))
    }
    expect(take(1, 'a')).toEqual(take(1, 'a'))
    expect(take(1, 'a')).not.toEqual(take(2, 'a'))
  })

  it('refuses to pick from nothing', () => {
    expect(() => createRandom(1).pick([])).toThrow(RangeError)
  })

  it('leaves a company of one alone', () => {
    const { staff, changes } = staffOn(5, { company: northwind, size: 1, seed: 1 })
    expect(staff.people.size).toBe(1)
    expect(changes.flat()).toEqual([])
  })
})
