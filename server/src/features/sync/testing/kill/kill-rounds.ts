import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../../../platform/db/database.ts'
import { findRun } from '../../../../platform/runs/run-store.ts'
import { applyPlan, applyUndo, type Done, passDates, planUndo } from '../model/carry-out.ts'
import { type Directory, emptyDirectory } from '../model/directory.ts'
import { createHr, readFeed } from '../model/hr.ts'
import { compareWorlds } from '../model/look-at-people.ts'
import { type ModelWorld, modelWorld } from '../model/model-world.ts'
import { planFeed } from '../model/plan-feed.ts'
import type { Delivery } from './deliveries.ts'
import { type Death, type DyingWork, letWork } from './killed-worker.ts'

/** The parts of a source's life in which a worker is killed. */
export const PARTS = ['schedule', 'fetch', 'plan', 'apply', 'planUndo', 'undo', 'nothingNew', 'dates'] as const
export type Part = (typeof PARTS)[number]

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
  readonly delivery: Delivery
  readonly deaths: Deaths
  readonly kills: Record<Part, number>
}

const START = Date.parse('2026-03-02T06:00:00Z')
const DAY = 24 * 3_600_000

/** Lets workers die at something, in its parts one after the other, until one of them has done it. */
const survive = async (
  { world, poolConfig, delivery, deaths, kills }: Round,
  parts: readonly Part[],
  what: Pick<DyingWork, 'does' | 'now'>,
): Promise<void> => {
  const { dataDir, tenantId } = world
  const { settings, folderRoot, hostKey } = delivery
  const work = { database: poolConfig, dataDir, tenantId, delivery: { settings, folderRoot, ...(hostKey && { hostKey }) }, ...what }
  for (const { part, dies } of parts.flatMap((part) => deaths(part).map((dies) => ({ part, dies })))) {
    if (!(await letWork({ ...work, dies })).killed) return
    kills[part] += 1
    // as ten seconds later
    await sql`update runs set leased_until = now() - interval '1 second' where state = 'running'`.execute(world.database.db)
  }
  await letWork({ ...work, dies: null })
}

/** From a run that has begun to its end, with everybody who takes part killed. */
const runThrough = async (
  round: Round,
  model: Directory,
  { runId, feed, parts }: { runId: string; feed: string; parts: readonly Part[] },
) => {
  await survive(round, parts, { does: { run: runId }, now: model.now })
  const plan = planFeed(model, { records: readFeed(feed), reading: 'dept', mapping: 1 })
  await round.world.approve(runId)
  await survive(round, ['apply'], { does: { run: runId }, now: model.now })
  return { runId, done: applyPlan(model, plan) }
}

const uploadThrough = async (round: Round, model: Directory, feed: string): Promise<{ runId: string; done: Done }> => {
  const runId = await round.world.start(feed, 'dept')
  if (runId === undefined) throw new Error('the file was refused')
  return runThrough(round, model, { runId, feed, parts: ['plan'] })
}

/** The run that the schedule starts by itself, by whoever of those that are killed. */
const startByItself = async (round: Round, model: Directory): Promise<string> => {
  await survive(round, ['schedule'], { does: 'schedules', now: model.now })
  const { rows } = await sql<{ id: string }>`
    select id from runs where tenant_id = ${round.world.tenantId} and state = 'queued' and input #>> '{fetch,began}' = 'schedule'`.execute(
    round.world.database.db,
  )
  const [run, ...others] = rows
  if (!run || others.length > 0) throw new Error(`${rows.length} runs were started by one time of the schedule`)
  return run.id
}

const undoThrough = async (round: Round, model: Directory, { runId, done }: { runId: string; done: Done }): Promise<string> => {
  const undoId = await round.world.startUndo(runId)
  await survive(round, ['planUndo'], { does: { run: undoId }, now: model.now })
  const plan = planUndo(done)
  await round.world.approve(undoId)
  await survive(round, ['undo'], { does: { run: undoId }, now: model.now })
  applyUndo(model, { plan, undone: done })
  return undoId
}

/** The next time of the schedule, with the same file: it was fetched once and put aside once, whatever died. */
const nothingNew = async (round: Round, model: Directory): Promise<{ runId: string; findings: string[] }> => {
  const runId = await startByItself(round, model)
  await survive(round, ['nothingNew'], { does: { run: runId }, now: model.now })
  const run = await findRun(round.world.database.db, { tenantId: round.world.tenantId, runId })
  const again = run?.input['fetch'] && (run.input['fetch'] as { nothingNew?: boolean }).nothingNew ? [] : ['a file was fetched twice']
  const { lying, archived } = round.delivery.look()
  return { runId, findings: [...again, ...(lying === 0 && archived === 1 ? [] : [`${lying} files lie there, ${archived} were put aside`])] }
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
 * Lives through a first load, a day of changes that a schedule fetches and that is taken back, a time at which nothing is new, and start and end dates,
 * while the workers are killed as told; then looks for what was lost or done twice.
 *
 * @param people how many; beyond 5,000 a plan is carried out in several chunks
 */
export const killRound = async (
  given: { database: Database; poolConfig: pg.PoolConfig; delivery: Delivery },
  { people, deaths }: { people: number; deaths: Deaths },
): Promise<KillReport> => {
  const { poolConfig, delivery } = given
  const world = await modelWorld(given.database)
  const kills = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>
  const round = { world, poolConfig, delivery, deaths, kills }
  const model = emptyDirectory(START)
  const passTo = (now: number) => {
    model.now = now
    world.setTime(now)
  }
  passTo(START)
  const hr = createHr()
  // a fifth of them start the day after tomorrow
  for (let number = 0; number < people; number += 1) hr.hire(number % 5 === 0 ? { start: '2026-03-04' } : {})
  try {
    const load = await uploadThrough(round, model, hr.feed())
    await world.fetchDaily()
    for (const [place, person] of hr.people.entries()) {
      if (place % 7 === 1) person.here = false
      else if (place % 3 === 0) person.row = { ...person.row, dept: 'Bakery', store: 'South' }
    }
    for (let number = 0; number < Math.ceil(people / 10); number += 1) hr.hire({})
    passTo(START + DAY)
    delivery.put(hr.feed(), model.now)
    const runId = await startByItself(round, model)
    const day = await runThrough(round, model, { runId, feed: hr.feed(), parts: ['fetch', 'plan'] })
    const undoId = await undoThrough(round, model, day)
    passTo(START + 3 * DAY)
    const last = await nothingNew(round, model)
    await survive(round, ['dates'], { does: 'dates', now: model.now })
    passDates(model, { ends: true })
    return { kills, findings: [...last.findings, ...(await differences(world, model, [load.runId, day.runId, undoId, last.runId]))] }
  } finally {
    world.close()
  }
}
