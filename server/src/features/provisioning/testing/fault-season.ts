import { FAULTS } from '@instep/connectors/scim/testing/faults.ts'
import type { Received } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { retryGroups } from '../groups/retry-groups.ts'
import { type GroupWishes, groupWishes } from '../groups/testing/groups-world.ts'
import { retryAccounts } from '../retry-accounts.ts'
import { gatherMembers, judgeGroup, MEMBER_CHUNK, moveMembers } from './member-faults.ts'
import { handClock, type ProvisioningWorld, provisioningWorld } from './provisioning-world.ts'

export const OPERATIONS = ['create', 'update', 'deactivate', 'delete', 'member'] as const
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

interface Victim {
  readonly userId: string
  readonly userName: string
  readonly fault: string | undefined
}

interface Player {
  readonly name: string
  readonly operation: Operation
  readonly world: ProvisioningWorld
  readonly groups: GroupWishes
  readonly random: () => number
  readonly ids: readonly string[]
  readonly victims: readonly Victim[]
}

/** What an operation is, from its beginning to its end. */
interface Play {
  /** Of the requests that its faults strike. */
  readonly method: string
  /** What is in step before anything goes wrong. */
  readonly begin: (player: Player) => Promise<unknown>
  readonly wish: (player: Player) => Promise<unknown>
  /** What is wrong with what the target holds of a person. */
  readonly judge: (player: Player, userName: string) => string[]
}

const accountsOf = ({ world: { standIn } }: Player, userName: string) =>
  [...standIn.accounts.values()].filter((account) => account.userName === userName)

/** There has to be one account with this value. */
const judgeAccount =
  (attribute: string, due: unknown): Play['judge'] =>
  (player, userName) => {
    const own = accountsOf(player, userName)
    const [account] = own
    if (!account || own.length > 1) return [`${own.length} accounts`]
    return account[attribute] === due ? [] : [`${attribute} is ${String(account[attribute])}`]
  }

const markAll = ({ world, ids }: Player) => world.mark(...ids)
const changeAll =
  (columns: Record<string, string | boolean>): Play['wish'] =>
  async ({ world, ids }) => {
    for (const userId of ids) await world.change(userId, columns)
  }

const PLAYS: Readonly<Record<Operation, Play>> = {
  create: { method: 'POST', begin: async () => {}, wish: markAll, judge: judgeAccount('active', true) },
  update: { method: 'PATCH', begin: markAll, wish: changeAll({ title: 'Head clerk' }), judge: judgeAccount('title', 'Head clerk') },
  deactivate: { method: 'PATCH', begin: markAll, wish: changeAll({ active: false }), judge: judgeAccount('active', false) },
  delete: {
    method: 'DELETE',
    begin: markAll,
    wish: changeAll({ active: false }),
    judge: (player, userName) => (accountsOf(player, userName).length > 0 ? ['the account is still there'] : []),
  },
  member: {
    method: 'PATCH',
    begin: async (player) => {
      await markAll(player)
      await gatherMembers(player.groups, player.victims)
    },
    wish: ({ groups, victims }) => moveMembers(groups, victims),
    judge: (player, userName) => [
      ...judgeAccount('active', true)(player, userName),
      ...judgeGroup(player.world.standIn, player.victims, userName),
    ],
  },
}

/** Each victim's own fault strikes its requests of the operation a few times; look-ups are disturbed by any, now and then. */
const disturb = ({ world: { standIn }, victims, operation, random }: Player): void => {
  const names = Object.keys(FAULTS)
  const strikes = new Map(victims.map(({ userName }) => [userName, 1 + Math.floor(random() * MOST_STRIKES)]))
  // an account that was deleted is still somebody's; a group is whose name it has
  const owners = new Map([
    ...[...standIn.accounts].map(([id, { userName }]) => [id, String(userName)] as const),
    ...[...standIn.groups].map(([id, { attributes }]) => [id, String(attributes.displayName)] as const),
  ])
  const ownerOf = ({ url, body }: Received) =>
    owners.get(decodeURIComponent(url.replace(/\?.*/, '').split('/').at(-1) ?? '')) ?? String(body?.userName)
  standIn.disturb((asked) => {
    if (asked.method === 'GET') return random() < 0.1 ? FAULTS[names[Math.floor(random() * names.length)] ?? ''] : undefined
    if (asked.method !== PLAYS[operation].method) return undefined
    const victim = victims.find(({ userName }) => userName === ownerOf(asked))
    const left = strikes.get(victim?.userName ?? '') ?? 0
    if (!victim?.fault || left === 0) return undefined
    strikes.set(victim.userName, left - 1)
    return FAULTS[victim.fault]
  })
}

interface Stage {
  readonly db: Db
  readonly players: readonly Player[]
  readonly provisioner: { runOnce(): Promise<number> }
  readonly clock: ProvisioningWorld['clock']
}

const ofAll = <T>(players: readonly Player[], work: (player: Player) => Promise<T>): Promise<T[]> => Promise.all(players.map(work))

/** What is to come in step, and why it is not. */
const rowsOf = async ({
  world,
  groups,
  operation,
}: Player): Promise<{ state: string; cause: string | null; last_error: string | null }[]> =>
  operation === 'member' ? [...(await world.rows()), ...(await groups.groupRows()), ...(await groups.memberRows())] : world.rows()

/** Whether everything of these tenants is in step or given up: asked at once, for there are many of them and many passes. */
const isSettled = async (db: Db, tenants: readonly string[]): Promise<boolean> => {
  const open = sql`tenant_id = any(${tenants}::uuid[]) and state not in ('inStep', 'quarantined')`
  const { rows } = await sql<{ settled: boolean }>`
    select not exists (select from target_accounts where ${open}) and not exists (select from target_groups where ${open})
      and not exists (select from target_members where ${open}) as settled`.execute(db)
  return rows[0]?.settled ?? false
}

/** Passes until everybody is in step or given up, an hour of the world's clock between them once it goes slowly. */
const settle = async ({ db, players, provisioner, clock }: Stage): Promise<void> => {
  const tenants = players.map(({ world }) => world.tenantId)
  for (let pass = 0; pass < PASSES; pass += 1) {
    await provisioner.runOnce()
    if (await isSettled(db, tenants)) return
    clock.advance(pass < PASSES / 2 ? 300 : 3600)
  }
}

/** What the target itself says, against what it has to hold. */
const judge = (player: Player): string[] => {
  const { operation, victims, world } = player
  const { size } = world.standIn.accounts
  const findings = victims.flatMap(({ userName, fault }) =>
    PLAYS[operation].judge(player, userName).map((what) => `${fault ?? 'undisturbed'}: ${what}`),
  )
  return size > victims.length ? [...findings, `${size} accounts for ${victims.length} people`] : findings
}

const prepare = async (db: Db, { seed, operation }: SeasonOf, clock: ProvisioningWorld['clock']): Promise<Player> => {
  // a target that keeps no key apart cannot hide that somebody was sent twice
  const world = await provisioningWorld(db, { clock, unique: seed % 2 === 0 })
  world.limits.timeoutMs = LONG_MS
  world.settings.memberChunk = MEMBER_CHUNK
  const action = operation === 'delete' ? 'delete' : 'disable'
  const anyNumber = { on: false, percent: 0, number: 0 }
  await world.policy({ leaver: { action, graceDays: 0 }, removals: anyNumber, memberRemovals: anyNumber })
  const faults = [...Object.keys(FAULTS), ...Array.from({ length: UNDISTURBED }, () => undefined)]
  const ids = await world.people(faults.length)
  const victims = ids.map((userId, index): Victim => ({ userId, userName: `person.${index + 1}@example.com`, fault: faults[index] }))
  return { name: `${operation}, seed ${seed}`, operation, world, groups: groupWishes(db, world), random: seededRandom(seed), ids, victims }
}

/** What is wanted comes while TLS fails, then while each person's requests are disturbed. */
const sufferFaults = async (stage: Stage): Promise<void> => {
  const { players, provisioner } = stage
  await ofAll(players, async (player) => {
    const { world, operation } = player
    disturb(player)
    world.limits.timeoutMs = SHORT_MS
    world.settings.baseUrl = world.standIn.baseUrl.replace('http:', 'https:')
    await PLAYS[operation].wish(player)
  })
  await provisioner.runOnce()
  for (const { world } of players) delete world.settings.baseUrl
  await settle(stage)
}

/** Who was given up after eight attempts is seen by an administrator, who has them tried again. */
const retryQuarantined = async (stage: Stage): Promise<void> => {
  await ofAll(stage.players, async ({ world }) => {
    world.standIn.disturb(() => undefined)
    world.limits.timeoutMs = LONG_MS
    const actor = { id: world.connectorId, name: 'Tadeo Tenant' }
    const { tenantId, targetId } = world
    const retry = { tenantId, targetId, actor, correlationId: 'retried' }
    await retryAccounts(stage.db, stage.clock, { ...retry, cause: undefined })
    await retryGroups(stage.db, stage.clock, { ...retry, groupId: undefined })
  })
  await settle(stage)
}

const judgeAll = async (stage: Stage): Promise<Season[]> => {
  const found = await ofAll(stage.players, async (player) => {
    const left = (await rowsOf(player)).filter(({ state }) => state !== 'inStep')
    return [...judge(player), ...left.map(({ state, cause, last_error }) => `${state} at the end (${cause}: ${last_error})`)]
  })
  const before = stage.players.map(({ world }) => world.standIn.received.length)
  await ofAll(stage.players, async (player) => {
    await markAll(player)
    if (player.operation === 'member') await PLAYS.member.wish(player)
  })
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
    const stage = { db, players, clock, provisioner: first.world.provisioner({ random: first.random, openTarget }) }
    await ofAll(players, (player) => PLAYS[player.operation].begin(player))
    await settle(stage)
    await sufferFaults(stage)
    await retryQuarantined(stage)
    return await judgeAll(stage)
  } finally {
    await ofAll(players, async ({ world }) => {
      await db.deleteFrom('target_groups').where('tenant_id', '=', world.tenantId).execute()
      await world.close()
    })
  }
}
