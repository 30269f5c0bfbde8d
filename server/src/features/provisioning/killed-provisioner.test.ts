import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { type DyingProvisioner, startWorker } from './testing/kill/killed-provisioner.ts'
import { type ProvisioningWorld, provisioningWorld } from './testing/provisioning-world.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ max: 4 })
})
afterAll(() => database.close())

const POINTS = [
  'before send',
  'after send, before acting',
  'after send, after acting',
  'after reply',
  'before commit',
  'after commit',
] as const
const METHODS = { create: 'POST', update: 'PATCH', delete: 'DELETE' } as const
type Operation = keyof typeof METHODS

/** A create is what may double somebody; a change that is done again does no harm, so it is killed where most is in doubt. */
const CASES = [
  ...POINTS.map((point) => ({ point, operation: 'create' as const })),
  ...(['update', 'delete'] as const).flatMap((operation) => [
    { point: 'after send, after acting' as const, operation },
    { point: 'before commit' as const, operation },
  ]),
]
const PEOPLE = 8
const CONCURRENCY = 3
/** With three requests at one time, some are under way and some are done when it dies. */
const WRITE = 4
const LEASE_SECONDS = 10

const nameOf = (index: number): string => `person.${index + 1}@example.com`

/** What the target has to hold in the end: user names with titles. */
const expected: Record<Operation, string[]> = {
  create: Array.from({ length: PEOPLE }, (_, index) => `${nameOf(index)} Clerk`),
  update: Array.from({ length: PEOPLE }, (_, index) => `${nameOf(index)} Head clerk`),
  delete: [],
}

const want = async (world: ProvisioningWorld, ids: readonly string[], operation: Operation): Promise<void> => {
  if (operation === 'create') return void (await world.mark(...ids))
  await world.mark(...ids)
  await world.provisioner().runOnce()
  for (const userId of ids) await world.change(userId, operation === 'update' ? { title: 'Head clerk' } : { active: false })
}

/** Carries out what is due in a process that dies at the given point. Answers whether it was killed. */
const dieAt = async (world: ProvisioningWorld, point: (typeof POINTS)[number], method: string): Promise<boolean> => {
  const { standIn, clock } = world
  const atTarget = point.startsWith('after send')
  const work: DyingProvisioner = {
    database: database.poolConfig,
    baseUrl: standIn.baseUrl,
    token: standIn.token,
    concurrency: CONCURRENCY,
    now: clock.now().getTime(),
    dies: atTarget ? null : { point: point as Exclude<typeof point, `after send${string}`>, method, write: WRITE },
  }
  const worker = startWorker(work)
  let seen = 0
  standIn.disturb((asked) => {
    if (!atTarget || asked.method !== method) return undefined
    seen += 1
    if (seen !== WRITE) return undefined
    return (_, accept) => {
      worker.process.kill('SIGKILL')
      if (point === 'after send, after acting') accept()
    }
  })
  const killed = await worker.killed
  standIn.disturb(() => undefined)
  return killed
}

it.each(CASES)('$operation: nobody is doubled or missing after a SIGKILL $point', async ({ point, operation }) => {
  // a target that takes a name twice, so that a second create would show
  const world = await provisioningWorld(database.db, { unique: false })
  try {
    await world.policy({ leaver: { action: 'delete', graceDays: 0 }, removals: { on: false, percent: 0, number: 0 } })
    await want(world, await world.people(PEOPLE), operation)
    expect(await dieAt(world, point, METHODS[operation])).toBe(true)
    world.clock.advance(LEASE_SECONDS + 1)
    await world.provisioner().runOnce()
    const held = [...world.standIn.accounts.values()].map(({ userName, title }) => `${userName} ${title}`)
    expect(held.toSorted()).toEqual(expected[operation])
    const rows = await world.rows()
    expect(rows.map(({ state, lease_owner }) => ({ state, lease_owner }))).toEqual(rows.map(() => ({ state: 'inStep', lease_owner: null })))
    expect(
      rows
        .map(({ remote_id }) => remote_id ?? '')
        .filter(Boolean)
        .toSorted(),
    ).toEqual([...world.standIn.accounts.keys()].toSorted())
  } finally {
    await world.close()
  }
})
