import { FAULTS } from '@instep/connectors/scim/testing/faults.ts'
import type { Received } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import type { Db } from '../../../platform/db/database.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { retryAccounts } from '../retry-accounts.ts'
import { type ProvisioningWorld, provisioningWorld } from './provisioning-world.ts'

export const OPERATIONS = ['create', 'update', 'deactivate', 'delete'] as const
export type Operation = (typeof OPERATIONS)[number]

/** What went wrong in a season, in words; none where all is as it has to be. */
export interface Season {
  readonly findings: string[]
  readonly requests: number
}

/** Long enough for an answer of a healthy stand-in on a busy machine, in milliseconds of real time. */
const TIMEOUT_MS = 400
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
const disturb = (
  { standIn }: ProvisioningWorld,
  victims: readonly Victim[],
  { operation, random }: { operation: Operation; random: () => number },
) => {
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

/** Passes until everybody is in step, an hour of the world's clock between them once it goes slowly. */
const settle = async (world: ProvisioningWorld, provisioner: { runOnce(): Promise<number> }): Promise<void> => {
  for (let pass = 0; pass < PASSES; pass += 1) {
    await provisioner.runOnce()
    const rows = await world.rows()
    if (rows.every(({ state }) => state === 'inStep' || state === 'quarantined')) return
    world.clock.advance(pass < PASSES / 2 ? 300 : 3600)
  }
}

const wanted: Record<Operation, (world: ProvisioningWorld, userId: string) => Promise<void>> = {
  create: async (world, userId) => void (await world.mark(userId)),
  update: (world, userId) => world.change(userId, { title: 'Head clerk' }),
  deactivate: (world, userId) => world.change(userId, { active: false }),
  delete: (world, userId) => world.change(userId, { active: false }),
}

/** What the target itself says, against what it has to hold. */
const judge = ({ standIn }: ProvisioningWorld, victims: readonly Victim[], operation: Operation): string[] => {
  const accounts = [...standIn.accounts.values()]
  const findings: string[] = []
  for (const { userName, fault } of victims) {
    const own = accounts.filter((account) => account.userName === userName)
    const say = (what: string) => findings.push(`${operation}, ${fault ?? 'undisturbed'}: ${what}`)
    if (own.length > 1) say(`${own.length} accounts`)
    const [account] = own
    if (operation === 'delete') {
      if (account) say('the account is still there')
    } else if (!account) say('no account')
    else if (operation === 'update' && account.title !== 'Head clerk') say(`the title is ${String(account.title)}`)
    else if (account.active !== (operation !== 'deactivate')) say(`active is ${String(account.active)}`)
  }
  if (accounts.length > victims.length) findings.push(`${operation}: ${accounts.length} accounts for ${victims.length} people`)
  return findings
}

/**
 * One target that does everything a target may do wrong, one fault a person, to one operation: in the end it holds what it should. Judged by the
 * target's own accounts; a season begins with a pass in which TLS fails. The clock is virtual, only time limits of requests take real time.
 */
export const faultSeason = async (db: Db, { seed, operation }: { seed: number; operation: Operation }): Promise<Season> => {
  const random = seededRandom(seed)
  const world = await provisioningWorld(db, TIMEOUT_MS)
  try {
    const action = operation === 'delete' ? 'delete' : 'disable'
    await world.policy({ leaver: { action, graceDays: 0 }, removals: { on: false, percent: 0, number: 0 } })
    const faults = [...Object.keys(FAULTS), ...Array.from({ length: UNDISTURBED }, () => undefined)]
    const ids = await world.people(faults.length)
    const provisioner = world.provisioner({ random })
    if (operation !== 'create') {
      await world.mark(...ids)
      await settle(world, provisioner)
    }
    const victims = ids.map((userId, index): Victim => ({ userId, userName: `person.${index + 1}@example.com`, fault: faults[index] }))
    disturb(world, victims, { operation, random })
    world.settings.baseUrl = world.standIn.baseUrl.replace('http:', 'https:')
    for (const userId of ids) await wanted[operation](world, userId)
    await provisioner.runOnce()
    delete world.settings.baseUrl
    await settle(world, provisioner)
    const quarantined = (await world.rows()).filter(({ state }) => state === 'quarantined')
    if (quarantined.length > 0) {
      // given up after eight attempts, which is what an administrator then sees and has tried again
      world.standIn.disturb(() => undefined)
      const actor = { id: world.connectorId, name: 'Tadeo Tenant' }
      await retryAccounts(db, world.clock, { ...world, cause: undefined, actor, correlationId: 'retried' })
      await settle(world, provisioner)
    }
    const left = (await world.rows()).filter(({ state }) => state !== 'inStep')
    const findings = [
      ...judge(world, victims, operation),
      ...left.map(({ state, cause, last_error }) => `${operation}: ${state} at the end (${cause}: ${last_error})`),
    ]
    const before = world.standIn.received.length
    await world.mark(...ids)
    await settle(world, provisioner)
    if (world.standIn.received.length > before)
      findings.push(`${operation}: ${world.standIn.received.length - before} requests with nothing to do`)
    return { findings, requests: before }
  } finally {
    await world.close()
  }
}
