import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../../../platform/db/database.ts'
import { findRun } from '../../../../platform/runs/run-store.ts'
import { applyPlan, applyUndo, type Done, passDates, planUndo } from '../model/carry-out.ts'
import type { Directory } from '../model/directory.ts'
import { createHr, readFeed } from '../model/hr.ts'
import { compareWorlds } from '../model/look-at-people.ts'
import { type ModelWorld, modelWorld } from '../model/model-world.ts'
import { planFeed } from '../model/plan-feed.ts'
import { type Death, type DyingWork, letWork } from './killed-worker.ts'

/** The parts of a source's life in which a worker is killed. */
export type Part = 'plan' | 'apply' | 'planUndo' | 'undo' | 'dates'

export interface KillReport {
  /** How often a worker was killed in each part. */
  readonly kills: Readonly<Record<Part, number>>
  /** What was lost or done twice, a sentence each. */
  readonly findings: readonly string[]
}

/** The deaths of a part, one after the other; what is left is done by a worker that lives. */
export type Deaths = (part: Part) => readonly Death[]

interface Round {
  readonly world: ModelWorld
  readonly poolConfig: pg.PoolConfig
  readonly deaths: Deaths
  readonly kills: Record<Part, number>
}

const START = Date.parse('2026-03-02T06:00:00Z')
const DAY = 24 * 3_600_000

/** Lets workers die at something until one of them has done it. */
const survive = async ({ world, poolConfig, deaths, kills }: Round, part: Part, what: Pick<DyingWork, 'does' | 'now'>): Promise<void> => {
  const { dataDir, tenantId } = world
  for (const dies of [...deaths(part), null]) {
    const { killed } = await letWork({ database: poolConfig, dataDir, tenantId, ...what, dies })
    if (!killed) return
    kills[part] += 1
    // as ten seconds later
    await sql`update runs set leased_until = now() - interval '1 second' where state = 'running'`.execute(world.database.db)
  }
}

/** A sync from its file to its end, with everybody who takes part killed. */
const syncThrough = async (round: Round, model: Directory, feed: string): Promise<{ runId: string; done: Done }> => {
  const { world } = round
  const runId = await world.start(feed, 'dept')
  if (runId === undefined) throw new Error('the file was refused')
  await survive(round, 'plan', { does: { run: runId }, now: model.now })
  const plan = planFeed(model, { records: readFeed(feed), department: 'dept', mapping: 1 })
  await world.approve(runId)
  await survive(round, 'apply', { does: { run: runId }, now: model.now })
  return { runId, done: applyPlan(model, plan) }
}

const undoThrough = async (round: Round, model: Directory, { runId, done }: { runId: string; done: Done }): Promise<string> => {
  const undoId = await round.world.startUndo(runId)
  await survive(round, 'planUndo', { does: { run: undoId }, now: model.now })
  const plan = planUndo(done)
  await round.world.approve(undoId)
  await survive(round, 'undo', { does: { run: undoId }, now: model.now })
  applyUndo(model, { plan, undone: done })
  return undoId
}

/** People of whom a run tells twice, or whose coming is told other than once. */
const twice = async ({ database, tenantId }: ModelWorld): Promise<string[]> => {
  const { rows } = await sql<{ told: string }>`
    select concat(type, ' of ', subject_id, ' ', count(*), ' times') as told from events
    where tenant_id = ${tenantId} and stream = 'user' group by type, subject_id, data ->> 'runId', data ->> 'version' having count(*) > 1
    union all
    select concat(u.external_id, ' came ', count(e.id), ' times') from users u
    left join events e on e.tenant_id = u.tenant_id and e.subject_id = u.id and e.type = 'user.created'
    where u.tenant_id = ${tenantId} group by u.id, u.external_id having count(e.id) <> 1`.execute(database.db)
  return rows.map(({ told }) => told)
}

const differences = async (world: ModelWorld, model: Directory, runs: readonly string[]): Promise<string[]> => {
  const { findings } = await compareWorlds(world.database, world.tenantId, model)
  const states = await Promise.all(runs.map((runId) => findRun(world.database.db, { tenantId: world.tenantId, runId })))
  const unfinished = states
    .filter((run) => run?.state !== 'succeeded')
    .map((run) => `a run is ${run?.state} ${JSON.stringify(run?.failure)}`)
  return [...findings, ...unfinished, ...(await twice(world))]
}

/**
 * Lives through a first load, a day of changes that is taken back, and start and end dates, while the workers are killed as told; then looks for what
 * was lost or done twice.
 *
 * @param people how many; beyond 5,000 a plan is carried out in several chunks
 */
export const killRound = async (
  given: { database: Database; poolConfig: pg.PoolConfig },
  { people, deaths }: { people: number; deaths: Deaths },
): Promise<KillReport> => {
  const world = await modelWorld(given.database)
  const kills: Record<Part, number> = { plan: 0, apply: 0, planUndo: 0, undo: 0, dates: 0 }
  const round = { world, poolConfig: given.poolConfig, deaths, kills }
  const model: Directory = { people: [], cases: new Map(), now: START, keys: ['ExternalId'] }
  world.setTime(START)
  const hr = createHr()
  // a fifth of them start the day after tomorrow
  for (let number = 0; number < people; number += 1) hr.hire(number % 5 === 0 ? { start: '2026-03-04' } : {})
  try {
    const load = await syncThrough(round, model, hr.feed())
    for (const [place, person] of hr.people.entries()) {
      if (place % 7 === 1) person.here = false
      else if (place % 3 === 0) person.row = { ...person.row, dept: 'Bakery', store: 'South' }
    }
    for (let number = 0; number < Math.ceil(people / 10); number += 1) hr.hire({})
    const day = await syncThrough(round, model, hr.feed())
    const undoId = await undoThrough(round, model, day)
    model.now += 3 * DAY
    world.setTime(model.now)
    await survive(round, 'dates', { does: 'dates', now: model.now })
    passDates(model, { ends: true })
    return { kills, findings: await differences(world, model, [load.runId, day.runId, undoId]) }
  } finally {
    world.close()
  }
}
