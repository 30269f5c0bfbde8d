/** A population that changes from round to round, and the file that HR would write of it. */

export interface Employee {
  readonly externalId: string
  readonly givenName: string
  readonly familyName: string
  readonly department: string
}

/** A small seeded generator of numbers from 0 to 1 (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const DEPARTMENTS = ['Kitchen', 'Logistics', 'Finance', 'Store operations', 'Engineering']

const employee = (number: number, random: () => number): Employee => ({
  externalId: `C-${100_000 + number}`,
  givenName: `Given ${Math.floor(random() * 500)}`,
  familyName: `Family ${number}`,
  department: DEPARTMENTS[Math.floor(random() * DEPARTMENTS.length)] ?? 'Kitchen',
})

/** The next day's population: 4 % change, 1 % leave, 1 % join; far below every guard. */
export const nextDay = (people: readonly Employee[], day: number, { random, size }: { random: () => number; size: number }): Employee[] => {
  if (people.length === 0) return Array.from({ length: size }, (_, index) => employee(index, random))
  const share = Math.max(1, Math.floor(size / 100))
  const stayed = people
    .filter((_, index) => index % Math.ceil(people.length / share) !== day % Math.ceil(people.length / share))
    .map((person) => (random() < 0.04 ? { ...person, department: `Team ${day}` } : person))
  return [...stayed, ...Array.from({ length: share }, (_, index) => employee(day * 1_000_000 + index, random))]
}

export const asCsv = (people: readonly Employee[]): string =>
  [
    'Person ID,First name,Last name,Department',
    ...people.map((one) => [one.externalId, one.givenName, one.familyName, one.department].join(',')),
  ].join('\n')
