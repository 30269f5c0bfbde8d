import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openFile } from '@instep/connectors/file/open-file.ts'
import { isPlainText } from '@instep/connectors/file/text-encoding.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { DEFAULT_GUARDS, SMALL_POPULATION } from '@instep/contract/guard-settings.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { checkSource } from '../check-source.ts'
import { guard, type Place } from '../guard.ts'
import { resolveMapping } from '../resolve-mapping.ts'
import { createProfiler, type SourceProfile } from '../source-profile.ts'
import { keyReader } from '../stage.ts'

/** What a feed was taken for: `planned` goes on by itself, `held` waits, `failed` cannot be read. */
export interface Taken {
  readonly state: 'planned' | 'held' | 'failed'
  /** People who would be deactivated. */
  readonly deactivations: number
  readonly reasons: readonly string[]
}

/** What takes the feeds of a source: the product, or a model of it. */
export interface Taker {
  plan(feed: Buffer, at: Date): Promise<Taken>
  /** Carries out, or throws away, what was planned last. */
  end(apply: boolean): Promise<void>
  close(): Promise<void>
}

export const FEED_MAPPING: Mapping = {
  fields: {
    externalId: { column: 'id' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    workEmail: { column: 'mail' },
    locationName: { column: 'store' },
  },
}

const DAY = 24 * 3_600_000

interface Seen {
  readonly profile: SourceProfile
  readonly keys: ReadonlySet<string>
  readonly unreadable: number
  readonly lost: readonly string[]
}

const read = async (file: string): Promise<Seen> => {
  const source = await openFile({ path: file, name: 'people.csv' })
  const mapping = resolveMapping(FEED_MAPPING, source.header)
  const keyOf = keyReader(mapping.columns)
  const encoding = source.encoding === 'utf-8' && (await isPlainText(file)) ? 'ascii' : source.encoding
  const profiler = createProfiler({ header: source.header, encoding }, mapping)
  const keys = new Set<string>()
  let unreadable = 0
  for await (const batch of source.rows())
    for (const row of batch) {
      profiler.add(row)
      const key = keyOf(row.cells)
      if (key === null) unreadable += 1
      else keys.add(key)
    }
  return { profile: profiler.profile(), keys, unreadable, lost: mapping.lostColumns }
}

const NOBODY = { now: 0, recent: 0 }

/** A source without a database: who is linked, what was applied last, who left in a day; the guard and the reading are the product's own. */
export const modelTaker = (): Taker => {
  const folder = mkdtempSync(path.join(tmpdir(), 'instep-feeds-'))
  const active = new Set<string>()
  const left: { at: number; count: number }[] = []
  let last: SourceProfile | null = null
  let planned: { seen: Seen; gone: string[]; at: number } | undefined
  const judge = (seen: Seen, now: Date): Taken => {
    const required = ['id', 'first', 'last'].some((column) => seen.lost.includes(column))
    const gone = required || seen.unreadable > 0 ? [] : [...active].filter((key) => !seen.keys.has(key))
    planned = { seen, gone, at: now.getTime() }
    const recent = left.reduce((sum, { at, count }) => (at > now.getTime() - DAY ? sum + count : sum), 0)
    const whole: Place = {
      active: active.size,
      amounts: { create: NOBODY, update: NOBODY, deactivate: { now: gone.length, recent }, leave: NOBODY },
    }
    const source = checkSource(
      { profile: seen.profile, last, manifest: undefined, sha256: undefined, modifiedAt: undefined, now },
      DEFAULT_GUARDS.source,
    )
    const held = guard({ records: seen.profile.records, lostColumns: seen.lost, whole, sites: [], source }, DEFAULT_GUARDS)
    return { state: held.length > 0 ? 'held' : 'planned', deactivations: gone.length, reasons: held.map(({ code }) => code) }
  }
  return {
    plan: async (feed, at) => {
      planned = undefined
      const file = path.join(folder, 'people.csv')
      writeFileSync(file, feed)
      try {
        return judge(await read(file), at)
      } catch (error) {
        if (error instanceof ConnectorError) return { state: 'failed', deactivations: 0, reasons: [error.code] }
        throw error
      }
    },
    end: async (apply) => {
      if (!apply || !planned) return
      const { seen, gone, at } = planned
      for (const key of gone) active.delete(key)
      for (const key of seen.keys) active.add(key)
      if (gone.length > 0) left.push({ at, count: gone.length })
      last = seen.profile
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Random numbers from 0 to 1 that are the same for one seed. */
const seeded = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Employee {
  readonly id: string
  readonly first: string
  readonly last: string
  readonly mail: string
  readonly store: string
}

type Random = () => number
const HEADER = ['id', 'first', 'last', 'mail', 'store'] as const
const FIRST = ['Zoë', 'Ada', 'José', 'Chloé', 'Bo', 'Søren']
const STORES = ['North', 'South']

const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)] as Item

const employee = (number: number, random: Random): Employee => ({
  id: `E${String(number).padStart(5, '0')}`,
  first: pick(FIRST, random),
  last: `Name ${number}`,
  mail: `e${number}@example.com`,
  store: pick(STORES, random),
})

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

const writeFeed = (people: readonly Employee[], header: readonly string[] = HEADER): string =>
  [header, ...people.map((person) => header.map((column) => person[column as keyof Employee] ?? 'x'))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')

/** A day as it should be: at most 3 % changed, at most 2 % gone, somebody new now and then. */
const nextDay = (people: readonly Employee[], { random, number }: { random: Random; number: () => number }): Employee[] => {
  const leavers = Math.floor(people.length * 0.02 * random())
  const changes = Math.floor(people.length * 0.03 * random())
  const order = shuffled(people, random)
  const changed = new Set(order.slice(leavers, leavers + changes))
  const gone = new Set(order.slice(0, leavers))
  const stay = people
    .filter((person) => !gone.has(person))
    .map((person) => (changed.has(person) ? { ...person, last: `${person.last}x` } : person))
  return random() < 0.4 ? [...stay, employee(number(), random)] : stay
}

/** Ways in which a feed is not what it should be. */
const BAD: Readonly<Record<string, (people: readonly Employee[], random: Random) => Buffer>> = {
  empty: () => Buffer.alloc(0),
  'cut at a byte': (people, random) => {
    const whole = Buffer.from(writeFeed(people))
    return whole.subarray(0, Math.floor(random() * whole.length))
  },
  'header only': () => Buffer.from(writeFeed([])),
  'duplicated ids': (people, random) =>
    Buffer.from(writeFeed(people.map((person) => (random() < 0.5 ? { ...person, id: pick(people, random).id } : person)))),
  'renamed id column': (people) => Buffer.from(writeFeed(people).replace('id,', 'ident,')),
  'wrong encoding': (people, random) => Buffer.from(writeFeed(people), random() < 0.5 ? 'latin1' : 'utf16le'),
  'filtered to a site': (people) => Buffer.from(writeFeed(people.filter(({ store }) => store === 'North'))),
  'bled slowly': (people, random) => Buffer.from(writeFeed(people.filter(() => random() > 0.04))),
}

/** What went wrong over the days of one seed, a sentence each. */
export interface FeedReport {
  readonly findings: readonly string[]
  readonly normal: number
  readonly bad: number
  readonly held: number
}

interface Watch {
  readonly active: Set<string>
  readonly left: { at: number; count: number }[]
}

/** Whether the people who have gone without anybody looking are more than the guard allows in a day. */
const goesBeyond = ({ active, left }: Watch, { deactivations, at }: { deactivations: number; at: number }): boolean => {
  const recent = left.reduce((sum, entry) => (entry.at > at - DAY ? sum + entry.count : sum), 0)
  const base = active.size + recent
  const allowed = Math.max(5, base / 10)
  return deactivations > 0 && deactivations + recent > (base < SMALL_POPULATION ? Math.min(allowed, base / 2) : allowed)
}

const keysOf = (people: readonly Employee[]) => new Set(people.map(({ id }) => id))

interface Season {
  readonly taker: Taker
  readonly random: Random
  readonly findings: string[]
  readonly watch: Watch
}

/** A bad feed must not be let take anybody beyond the guard; answers whether it was held or refused. */
const badFeed = async ({ taker, random, findings, watch }: Season, people: readonly Employee[], at: number): Promise<boolean> => {
  const name = pick(Object.keys(BAD), random)
  const feed = BAD[name]?.(people, random) ?? Buffer.alloc(0)
  const taken = await taker.plan(feed, new Date(at))
  if (taken.state !== 'planned') {
    await taker.end(false)
    return true
  }
  if (goesBeyond(watch, { deactivations: taken.deactivations, at }))
    findings.push(`${name}: ${taken.deactivations} of ${watch.active.size} went unseen`)
  // what would go through is not carried out, so that the days that follow are as they should be
  await taker.end(false)
  return false
}

const normalFeed = async ({ taker, random, findings, watch }: Season, people: readonly Employee[], at: number): Promise<void> => {
  const plain = await taker.plan(Buffer.from(writeFeed(people)), new Date(at))
  await taker.end(false)
  const header = random() < 0.5 ? [...shuffled(HEADER, random), ...(random() < 0.5 ? ['grade'] : [])] : HEADER
  const other = await taker.plan(Buffer.from(writeFeed(shuffled(people, random), header)), new Date(at))
  if (other.state !== 'planned') findings.push(`a normal day of ${people.length} was ${other.state}: ${other.reasons.join(', ')}`)
  if (plain.deactivations !== other.deactivations || plain.state !== other.state) findings.push('shuffled is not what it was unshuffled')
  await taker.end(true)
  const keys = keysOf(people)
  const gone = [...watch.active].filter((key) => !keys.has(key)).length
  if (other.deactivations !== gone) findings.push(`${other.deactivations} were to go where ${gone} had left`)
  if (gone > 0) watch.left.push({ at, count: gone })
  watch.active.clear()
  for (const key of keys) watch.active.add(key)
}

/** Bleeds a source over some days, several times a day, each time as little as goes through unseen, and counts what does. */
const bleed = async ({ taker, random, findings, watch }: Season, people: readonly Employee[], start: number): Promise<void> => {
  let left = [...people]
  for (let step = 0; step < 12; step += 1) {
    const at = start + step * (DAY / 4)
    const fewer = left.filter(() => random() > 0.05)
    const taken = await taker.plan(Buffer.from(writeFeed(fewer)), new Date(at))
    const through = taken.state === 'planned'
    if (through && goesBeyond(watch, { deactivations: taken.deactivations, at }))
      findings.push(`bled: ${taken.deactivations} more of ${watch.active.size} went unseen`)
    await taker.end(through)
    if (!through) continue
    if (taken.deactivations > 0) watch.left.push({ at, count: taken.deactivations })
    watch.active.clear()
    for (const key of keysOf(fewer)) watch.active.add(key)
    left = fewer
  }
}

/** Lives through some weeks of one source: days as they should be, and feeds that are not; at the end it bleeds. */
export const feedSeason = async (
  seed: number,
  { taker, days, most }: { taker: Taker; days: number; most: number },
): Promise<FeedReport> => {
  const random = seeded(seed)
  const size = 4 + Math.floor(random() * random() * most)
  let last = size
  const number = () => (last += 1)
  let people = Array.from({ length: size }, (_, index) => employee(index + 1, random))
  const findings: string[] = []
  const season: Season = { taker, random, findings, watch: { active: new Set(), left: [] } }
  let at = Date.parse('2026-03-01T03:00:00Z')
  const report = { normal: 0, bad: 0, held: 0 }
  for (let day = 0; day < days; day += 1) {
    await normalFeed(season, people, at)
    report.normal += 1
    const isHeld = await badFeed(season, people, at + DAY / 3)
    report.bad += 1
    if (isHeld) report.held += 1
    people = nextDay(people, { random, number })
    at += DAY + 1000
  }
  await bleed(season, people, at)
  return { findings: findings.map((finding) => `seed ${seed}: ${finding}`), ...report }
}
