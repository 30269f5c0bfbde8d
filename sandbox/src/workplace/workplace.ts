/** The workplace of one company: its directory, its weather, and what it was asked since it started. */
import type { Journal } from '../journal.ts'
import type { WorldCompany } from '../world.ts'
import { type Content, openContent } from './content.ts'
import { type Directory, openDirectory } from './directory.ts'
import { isWeather, type Weather } from './weather.ts'

/** Counts since the sandbox started, of SCIM requests only. */
export interface Receipts {
  readonly since: string
  readonly total: number
  /** By HTTP method. */
  readonly requests: Readonly<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', number>>
  /** By HTTP status of the answer. */
  readonly answers: Readonly<Record<string, number>>
}

export interface Workplace {
  readonly company: WorldCompany
  readonly directory: Directory
  readonly content: Content
  weather(): Weather
  setWeather(weather: Weather): void
  receipts(): Receipts
  count(method: string): void
  countAnswer(status: number): void
}

const COLLECTION = 'weather'

/** Opens one company's workplace as the journal remembers it. */
export const openWorkplace = (company: WorldCompany, world: { journal: Journal; now: () => Date }): Workplace => {
  const { journal, now } = world
  const remembered = journal.read(COLLECTION).get(company.slug)
  let weather: Weather = isWeather(remembered) ? remembered : 'fine'
  const since = now().toISOString()
  const requests = { GET: 0, POST: 0, PUT: 0, PATCH: 0, DELETE: 0 }
  const answers: Record<string, number> = {}
  let total = 0
  const directory = openDirectory(company.slug, world)
  return {
    company,
    directory,
    content: openContent(company.slug, directory, world),
    weather: () => weather,
    setWeather: (next) => {
      weather = next
      journal.put(COLLECTION, company.slug, next)
    },
    receipts: () => ({ since, total, requests: { ...requests }, answers: { ...answers } }),
    count: (method) => {
      total += 1
      if (method in requests) requests[method as keyof typeof requests] += 1
    },
    countAnswer: (status) => {
      answers[status] = (answers[status] ?? 0) + 1
    },
  }
}
