import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { systemClock } from '../clock.ts'
import { uuidv7 } from '../ids.ts'
import { silentLog } from '../log.ts'
import { claimRun, LeaseLost, patchLeased, releaseAllLeases, renewLease } from './lease.ts'
import type { RunRow } from './run.ts'
import { findRun, insertRun } from './run-store.ts'
import { createRunWorker, type RunHandler, type RunWorker } from './run-worker.ts'

const KIND = 'test'
const tenantId = uuidv7()
let database: TestDatabase
let workers: RunWorker[]

beforeAll(async () => {
  database = await testDatabase()
  await sql`insert into tenants (id, name) values (${tenantId}, 'T')`.execute(database.db)
})
afterAll(() => database.close())
beforeEach(() => {
  workers = []
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await sql`delete from runs`.execute(database.db)
})

const addRun = async (): Promise<RunRow> => {
  const createdBy = { kind: 'system' as const, id: null, name: 'Test' }
  const row = {
    tenantId,
    id: uuidv7(),
    kind: KIND,
    connectorId: null,
    correlationId: uuidv7(),
    input: {},
    stages: [],
    createdBy,
    createdAt: new Date(),
  }
  const run = await database.db.transaction().execute((tx) => insertRun(tx, row))
  if (!run) throw new Error('not added')
  return run
}
const claim = (owner: string) => claimRun(database.db, { owner, kinds: [KIND], at: new Date() })
const read = async (run: RunRow) => findRun(database.db, { tenantId, runId: run.id })
const endLease = () => sql`update runs set leased_until = now() - interval '1 second'`.execute(database.db)
const work = (handler: RunHandler): RunWorker => {
  const worker = createRunWorker({
    db: database.db,
    clock: systemClock,
    log: silentLog,
    handlers: { [KIND]: handler },
    pollMilliseconds: 10,
  })
  workers.push(worker)
  worker.start()
  return worker
}
const finish: RunHandler = (context) =>
  database.db.transaction().execute((tx) => context.commit(tx, { state: 'succeeded', finishedAt: new Date() }))

describe('a lease', () => {
  const [one, two] = [uuidv7(), uuidv7()]

  it('keeps others away until it is over', async () => {
    const run = await addRun()
    expect((await claim(one))?.id).toBe(run.id)
    expect(await claim(two)).toBeUndefined()
    await endLease()
    expect((await claim(two))?.id).toBe(run.id)
  })

  it('that another has taken lets nothing more be committed or renewed', async () => {
    const run = await addRun()
    await claim(one)
    await endLease()
    await claim(two)
    expect(await renewLease(database.db, { run, owner: one })).toBeUndefined()
    await expect(patchLeased(database.db, { run, owner: one }, { applied: 5 })).rejects.toBeInstanceOf(LeaseLost)
    expect((await read(run))?.applied).toBe(0)
  })

  it('is given to one of many that ask at the same moment', async () => {
    await addRun()
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(uuidv7())))
    expect(claims.filter((run) => run !== undefined)).toHaveLength(1)
  })

  it('of a dead process ends at start where one process is all there is', async () => {
    await addRun()
    await claim(one)
    await releaseAllLeases(database.db)
    expect(await claim(two)).toBeDefined()
  })
})

describe('a worker', () => {
  it('that is not started takes nothing, however it is nudged', async () => {
    const run = await addRun()
    const worker = createRunWorker({
      db: database.db,
      clock: systemClock,
      log: silentLog,
      handlers: { [KIND]: finish },
      pollMilliseconds: 1,
    })
    worker.nudge()
    await worker.stop()
    expect((await read(run))?.state).toBe('queued')
  })

  it('says that a run has failed when its handler does', async () => {
    const run = await addRun()
    work(() => Promise.reject(new Error('a bug')))
    await expect.poll(async () => (await read(run))?.state).toBe('failed')
    expect((await read(run))?.failure).toEqual({ code: 'INTERNAL', params: {} })
  })

  it('does a run again that the database failed', async () => {
    const run = await addRun()
    let attempts = 0
    work((context) => {
      attempts += 1
      return attempts === 1 ? Promise.reject(Object.assign(new Error('gone'), { code: '57P01' })) : finish(context)
    })
    await expect.poll(async () => (await read(run))?.state, { timeout: 5000 }).toBe('succeeded')
    expect(attempts).toBe(2)
  })

  it('writes the newest progress with the result, and never after it', async () => {
    const run = await addRun()
    work(async (context) => {
      for (let count = 1; count <= 500; count += 1) context.progress({ applied: count })
      await finish(context)
    })
    await expect.poll(async () => (await read(run))?.state).toBe('succeeded')
    const done = await read(run)
    expect(done?.applied).toBe(500)
    // claimed, at most one progress at once, the result
    expect(done?.version).toBeLessThanOrEqual(4)
  })

  it('writes the newest progress also where nothing is told after it', async () => {
    const run = await addRun()
    const told = Promise.withResolvers<void>()
    work(async (context) => {
      for (let count = 1; count <= 3; count += 1) context.progress({ applied: count })
      await told.promise
      await finish(context)
    })
    await expect.poll(async () => (await read(run))?.applied, { timeout: 2000 }).toBe(3)
    told.resolve()
    await expect.poll(async () => (await read(run))?.state).toBe('succeeded')
  })

  it('that stops gives back what it has not finished', async () => {
    const run = await addRun()
    const begun = Promise.withResolvers<void>()
    const worker = work(({ signal }) => {
      begun.resolve()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    })
    await begun.promise
    await worker.stop()
    expect((await read(run))?.state).toBe('running')
    expect(await claim(uuidv7())).toBeDefined()
  })
})
