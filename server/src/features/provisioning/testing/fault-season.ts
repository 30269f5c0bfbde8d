import { FAULTS } from '@instep/connectors/scim/testing/faults.ts'
import type { Received } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import type { Db } from '../../../platform/db/database.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { retryAccounts } from '../retry-accounts.ts'
import { handClock, type ProvisioningWorld, provisioningWorld } from './provisioning-world.ts'

export const OPERATIONS = ['create', 'update', 'deactivate', 'delete'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Which season: what is done to the target's accounts, and the seed of what goes wrong. */
export interface SeasonOf {
  readonly seed: number
  readonly operation: Operation
}

/** What went wrong in a season, in words; none where all is as it has to be. */
export interface Season {
  readonly name: string
  readonly findings: string[]
  readonly requests: number
}

/** How long an answer that never comes is waited for, and one that has to come, in milliseconds of real time. */
const SHORT_MS = 100
const LONG_MS = 5000
/** A request is disturbed so often at most before it goes through. */
const MOST_STRIKES = 3
const PASSES = 60
const UNDISTURBED = 3

const METHODS: Record<Operation, readonly string[]> = { create: ['POST'], update: ['PATCH'], deactivate: ['PATCH'], delete: ['DELETE'] }

interface Victim {
  readonly userId: string
  readonly userName: string
  readonly fault: string | undefined
}

/** Each victim's own fault strikes its requests of the operation a few times; look-ups are disturbed by any, now and then. */
const disturb = ({ world: { standIn }, victims, operation, random }: Player): void => {
  const names = Object.keys(FAULTS)
  const strikes = new Map(victims.map(({ userName }) => [userName, 1 + Math.floor(random() * MOST_STRIKES)]))
  // an account that was deleted is still somebody's
  const owners = new Map([...standIn.accounts].map(([id, account]) => [id, String(account.userName)]))
  const ownerOf = ({ url, body }: Received) => owners.get(decodeURIComponent(url.split('/').at(-1) ?? '')) ?? String(body?.userName)
  standIn.disturb((asked) => {
    if (asked.method === 'GET') return random() < 0.1 ? FAULTS[names[Math.floor(random() * names.length)] ?? ''] : undefined
    if (!METHODS[operation].includes(asked.method)) return undefined
    const victim = victims.find(({ userName }) => userName === ownerOf(asked))
    const left = strikes.get(victim?.userName ?? '') ?? 0
    if (!victim?.fault || left === 0) return undefined
    strikes.set(victim.userName, left - 1)
    return FAULTS[victim.fault]
  })
}

interface Player {
  readonly name: string
  readonly operation: Operation
  readonly world: ProvisioningWorld
  readonly random: () => number
  readonly ids: readonly string[]
  readonly victims: readonly Victim[]
}

interface Stage {
  readonly players: readonly Player[]
  readonly provisioner: { runOnce(): Promise<number> }
  readonly clock: ProvisioningWorld['clock']
}

const ofAll = <T>(players: readonly Player[], work: (player: Player) => Promise<T>): Promise<T[]> => Promise.all(players.map(work))

/** Passes until everybody is in step or given up, an hour of the world's clock between them once it goes slowly. */
const settle = async ({ players, provisioner, clock }: Stage): Promise<void> => {
  for (let pass = 0; pass < PASSES; pass += 1) {
    await provisioner.runOnce()
    const rows = (await ofAll(players, ({ world }) => world.rows())).flat()
    if (rows.every(({ state }) => state === 'inStep' || state === 'quarantined')) return
    clock.advance(pass < PASSES / 2 ? 300 : 3600)
  }
}

const wanted: Record<Operation, (world: ProvisioningWorld, userId: string) => Promise<void>> = {
  create: async (world, userId) => void (await world.mark(userId)),
  update: (world, userId) => world.change(userId, { title: 'Head clerk' }),
  deactivate: (world, userId) => world.change(userId, { active: false }),
  delete: (world, userId) => world.change(userId, { active: false }),
}

/** What the target itself says, against what it has to hold. */
const judge = ({ world: { standIn }, victims, operation }: Player): string[] => {
  const accounts = [...standIn.accounts.values()]
  const findings: string[] = []
  for (const { userName, fault } of victims) {
    const own = accounts.filter((account) => account.userName === userName)
    const say = (what: string) => findings.push(`${fault ?? 'undisturbed'}: ${what}`)
    if (own.length > 1) say(`${own.length} accounts`)
    const [account] = own
    if (operation === 'delete') {
      if (account) say('the account is still there')
    } else if (!account) say('no account')
    else if (operation === 'update' && account.title !== 'Head clerk') say(`the title is ${String(account.title)}`)
    else if (account.active !== (operation !== 'deactivate')) say(`active is ${String(account.active)}`)
  }
  if (accounts.length > victims.length) findings.push(`${accounts.length} accounts for ${victims.length} people`)
  return findings
}

const prepare = async (db: Db, { seed, operation }: SeasonOf, clock: ProvisioningWorld['clock']): Promise<Player> => {
  // a target that keeps no key apart cannot hide that somebody was sent twice
  const world = await provisioningWorld(db, { clock, unique: seed % 2 === 0 })
  world.limits.timeoutMs = LONG_MS
  const action = operation === 'delete' ? 'delete' : 'disable'
  await world.policy({ leaver: { action, graceDays: 0 }, removals: { on: false, percent: 0, number: 0 } })
  const faults = [...Object.keys(FAULTS), ...Array.from({ length: UNDISTURBED }, () => undefined)]
  const ids = await world.people(faults.length)
  const victims = ids.map((userId, index): Victim => ({ userId, userName: `person.${index + 1}@example.com`, fault: faults[index] }))
  return { name: `${operation}, seed ${seed}`, operation, world, random: seededRandom(seed), ids, victims }
}

/** What is wanted comes while TLS fails, then while each person's requests are disturbed. */
const sufferFaults = async (stage: Stage): Promise<void> => {
  const { players, provisioner } = stage
  await ofAll(players, async (player) => {
    const { world, ids, operation } = player
    disturb(player)
    world.limits.timeoutMs = SHORT_MS
    world.settings.baseUrl = world.standIn.baseUrl.replace('http:', 'https:')
    for (const userId of ids) await wanted[operation](world, userId)
  })
  await provisioner.runOnce()
  for (const { world } of players) delete world.settings.baseUrl
  await settle(stage)
}

/** Who was given up after eight attempts is seen by an administrator, who has them tried again. */
const retryQuarantined = async (db: Db, stage: Stage): Promise<void> => {
  await ofAll(stage.players, async ({ world }) => {
    world.standIn.disturb(() => undefined)
    world.limits.timeoutMs = LONG_MS
    const actor = { id: world.connectorId, name: 'Tadeo Tenant' }
    const { tenantId, targetId } = world
    await retryAccounts(db, stage.clock, { tenantId, targetId, cause: undefined, actor, correlationId: 'retried' })
  })
  await settle(stage)
}

const judgeAll = async (stage: Stage): Promise<Season[]> => {
  const found = await ofAll(stage.players, async (player) => {
    const left = (await player.world.rows()).filter(({ state }) => state !== 'inStep')
    return [...judge(player), ...left.map(({ state, cause, last_error }) => `${state} at the end (${cause}: ${last_error})`)]
  })
  const before = stage.players.map(({ world }) => world.standIn.received.length)
  await ofAll(stage.players, ({ world, ids }) => world.mark(...ids))
  await settle(stage)
  return stage.players.map(({ name, world }, index) => {
    const requests = before[index] ?? 0
    const more = world.standIn.received.length - requests
    const findings = [...(found[index] ?? []), ...(more > 0 ? [`${more} requests with nothing to do`] : [])]
    return { name, requests, findings: findings.map((finding) => `${name}: ${finding}`) }
  })
}

/**
 * Targets that do everything a target may do wrong, one fault a person, to one operation each: in the end each holds what it should. Judged by the
 * target's own accounts; a season begins with a pass in which TLS fails. One provisioner serves them all, as it does, so that their time limits pass
 * side by side: only those take real time, the clock is virtual.
 */
export const faultSeasons = async (db: Db, seasons: readonly SeasonOf[]): Promise<Season[]> => {
  const clock = handClock()
  const players: Player[] = []
  try {
    for (const season of seasons) players.push(await prepare(db, season, clock))
    const worlds = new Map(players.map(({ world }) => [world.targetId, world]))
    const openTarget = async (_: string, targetId: string) => {
      const world = worlds.get(targetId)
      if (!world) throw new Error(`no target ${targetId}`)
      return world.scim()
    }
    const [first] = players
    if (!first) return []
    const stage = { players, clock, provisioner: first.world.provisioner({ random: first.random, openTarget }) }
    await ofAll(players, async ({ operation, world, ids }) => operation !== 'create' && world.mark(...ids))
    await settle(stage)
    await sufferFaults(stage)
    await retryQuarantined(db, stage)
    return await judgeAll(stage)
  } finally {
    await ofAll(players, ({ world }) => world.close())
  }
}
