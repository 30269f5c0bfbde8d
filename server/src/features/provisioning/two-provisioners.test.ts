import { setTimeout as sleep } from 'node:timers/promises'
import type { Received } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { startWorker, type Worker } from './testing/kill/killed-provisioner.ts'
import { type ProvisioningWorld, provisioningWorld } from './testing/provisioning-world.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ max: 4 })
})
afterAll(() => database.close())

/** More than one worker leases at a time, so that both have some. */
const PEOPLE = 700
/** People who come when one worker is dead. */
const LATE = 40
const LATENCY_MS = 10
const CONCURRENCY = 6
/** The worker that dies has done so much, and the other one as well has begun. */
const ENOUGH = 60
const GOES_ON_MS = 15_000
const POLL_MS = 50

interface Seen {
  /** Names of people to whom a second request came while one was under way. */
  readonly overlaps: string[]
  /** People each worker asked about, by the address it used. */
  readonly people: Map<string, Set<string>>
  /** When each person was last asked about. */
  readonly last: Map<string, number>
}

/** Watches who is asked about when; a request is over when its answer, or its sender, is gone. */
const watch = ({ standIn }: ProvisioningWorld): Seen => {
  const seen: Seen = { overlaps: [], people: new Map(), last: new Map() }
  const underWay = new Set<string>()
  const personOf = ({ url, body }: Received): string => {
    const id = decodeURIComponent(url.split('?')[0]?.split('/Users/')[1] ?? '')
    const filter = /"([^"]+)"/.exec(decodeURIComponent(url.split('filter=')[1] ?? ''))?.[1]
    return String(standIn.accounts.get(id)?.userName ?? filter ?? body?.userName)
  }
  standIn.disturb((asked) => (response, accept) => {
    const person = personOf(asked)
    const worker = asked.headers.host ?? ''
    if (underWay.has(person)) seen.overlaps.push(person)
    underWay.add(person)
    seen.people.set(worker, (seen.people.get(worker) ?? new Set()).add(person))
    seen.last.set(person, Date.now())
    response.once('close', () => underWay.delete(person))
    const { status, body } = accept()
    setTimeout(() => response.writeHead(status, { 'content-type': 'application/scim+json' }).end(body && JSON.stringify(body)), LATENCY_MS)
  })
  return seen
}

const until = async (what: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + 60_000
  while (!(await what())) {
    if (Date.now() > end) throw new Error('it did not come')
    await sleep(POLL_MS)
  }
}

/** How long after a death the longest silence was over, in milliseconds. */
const goesOnAfter = ({ last }: Seen, died: number): number => {
  const times = [died, ...[...last.values()].filter((at) => at > died).toSorted((a, b) => a - b)]
  const silences = times.slice(1).map((at, index) => ({ at, silence: at - (times[index] ?? at) }))
  return Math.max(
    0,
    ...silences
      .toSorted((a, b) => b.silence - a.silence)
      .slice(0, 1)
      .map(({ at }) => at - died),
  )
}

it('two workers never serve one person at once, and one goes on within 15 s when the other is killed', { timeout: 150_000 }, async () => {
  const world = await provisioningWorld(database.db, { unique: false })
  const seen = watch(world)
  const { port } = new URL(world.standIn.baseUrl)
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const workers = new Map<string, Worker>()
  try {
    for (const host of hosts) {
      const baseUrl = `http://${host}/scim/v2`
      const { token } = world.standIn
      workers.set(host, startWorker({ database: database.poolConfig, baseUrl, token, concurrency: CONCURRENCY, now: null, dies: null }))
    }
    const ids = await world.people(PEOPLE + LATE)
    await world.mark(...ids.slice(0, PEOPLE))
    await until(() => hosts.every((host) => (seen.people.get(host)?.size ?? 0) > 0))
    const sizeOf = (host: string) => seen.people.get(host)?.size ?? 0
    await until(() => hosts.some((host) => sizeOf(host) >= ENOUGH))
    const [victim = ''] = hosts.toSorted((a, b) => sizeOf(b) - sizeOf(a))
    workers.get(victim)?.process.kill('SIGKILL')
    await workers.get(victim)?.killed
    const died = Date.now()
    const served = seen.people.get(victim) ?? new Set()
    const unfinished = (await world.rows()).filter(({ state }) => state === 'pending').length
    expect(unfinished).toBeGreaterThan(0)
    await world.mark(...ids.slice(PEOPLE))
    await until(async () => (await world.rows()).every(({ state }) => state === 'inStep'))
    expect(seen.overlaps).toEqual([])
    expect(served.size).toBeLessThan(PEOPLE)
    expect(goesOnAfter(seen, died)).toBeLessThan(GOES_ON_MS)
    const survivor = hosts.find((host) => host !== victim) ?? ''
    expect([...served].filter((person) => seen.people.get(survivor)?.has(person))).not.toEqual([])
    const names = [...world.standIn.accounts.values()].map(({ userName }) => userName)
    expect(names).toHaveLength(PEOPLE + LATE)
    expect(new Set(names).size).toBe(PEOPLE + LATE)
  } finally {
    for (const { process: child } of workers.values()) child.kill('SIGKILL')
    await Promise.all([...workers.values()].map(({ killed }) => killed))
    await world.close()
  }
})
