import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { RunRow } from '../../../../platform/runs/run.ts'
import { applyPlan, applyUndo, type Done, planUndo } from './carry-out.ts'
import { type Directory, effectiveOf } from './directory.ts'
import { feedOf, type Hr, type Reading, readFeed } from './hr.ts'
import { writtenRows } from './look-at-people.ts'
import type { Crash, ModelWorld } from './model-world.ts'
import { type Plan, planFeed, type Row } from './plan-feed.ts'
import type { Fault, Step, Trouble } from './steps.ts'

/** Directory and model have parted. */
export class Parted extends Error {}

/** A plan that waits, and what carrying it out makes of the model. */
interface Waiting {
  readonly runId: string
  readonly rows: readonly Row[]
  readonly carryOut: () => Done
  /** Plans again what was left alone, by what was set when the run began; absent: nothing does. */
  readonly planAgain?: () => Plan
}

/** Both worlds, and what the caller has under way. */
export interface Play {
  readonly world: ModelWorld
  readonly hr: Hr
  readonly model: Directory
  reading: Reading
  /** How many mappings and sets of rules there have been; how the last mapping reads. */
  mapping: { count: number; reading: Reading | null }
  waiting: Waiting | undefined
  readonly done: { readonly runId: string; readonly done: Done }[]
  /** Who is who: a person of the model and the id that they had when they were first seen. */
  readonly ids: Map<string, string>
}

export const expect = (is: unknown, should: unknown, what: string): void => {
  if (!isDeepStrictEqual(is, should)) throw new Parted(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`)
}

export const pick = <Item>(items: readonly Item[], place: number): Item | undefined => items[place % Math.max(1, items.length)]

const faulty = (feed: string, fault: Fault): string => {
  if (fault === 'empty') return ''
  if (fault === 'headerOnly') return feedOf([])
  if (fault === null) return feed
  const lines = feed.split('\n')
  const at = Math.floor((fault.cutAt / 1001) * lines.length)
  return [...lines.slice(0, at), (lines[at] ?? '').split(',').slice(0, fault.cells).join(',')].join('\n')
}

const kindsOf = (rows: readonly Row[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** The rows of a plan as both sides can tell them. */
const comparePlans = async (
  { world }: Play,
  run: RunRow,
  { rows, ignored, unchanged }: Pick<Plan, 'rows'> & Partial<Plan>,
): Promise<void> => {
  const { rows: is } = await sql<{
    kind: string
    key: string | null
    before: Record<string, unknown>
    after: Record<string, unknown>
  }>`
    select kind, source_key as key, before, after from plan_rows where tenant_id = ${world.tenantId} and run_id = ${run.id} order by seq`.execute(
    world.database.db,
  )
  expect(
    is.map(({ before, after, ...row }) => ({ ...row, before: world.named(before), after: world.named(after) })),
    rows.map(({ kind, key, before, after }) => ({ kind, key, before, after })),
    'plan',
  )
  const { unchanged: stay = 0, ignored: left = 0, outOfScope: _, ...counts } = run.counts
  expect(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)), kindsOf(rows), 'counts')
  if (unchanged !== undefined) expect({ stay, left }, { stay: unchanged, left: ignored }, 'counts')
}

/** Nobody goes unseen beyond the guard: of so few people at most half, and at most five. */
const compareGuard = ({ model }: Play, run: RunRow, rows: readonly Row[]): void => {
  const active = model.people.filter((person) => effectiveOf(person).active).length
  const going = rows.filter(({ kind, person }) => kind === 'deactivate' && person && effectiveOf(person).active).length
  if (going > Math.min(5, active / 2)) expect(run.state, 'held', `${going} of ${active} would go`)
}

export const decide = async (play: Play, waiting: Waiting, { ends, crash = null }: { ends: 'apply' | 'reject'; crash?: Crash | null }) => {
  const { world } = play
  play.waiting = undefined
  if (ends === 'reject') return world.reject(waiting.runId)
  await world.approve(waiting.runId)
  const run = await world.work(waiting.runId, crash ? { crash } : undefined)
  const done = waiting.carryOut()
  const { applied, stale } = done
  const state = stale > 0 ? 'partlySucceeded' : 'succeeded'
  expect({ state: run.state, applied: run.applied, stale: run.stale }, { state, applied, stale }, 'run')
  play.done.push({ runId: waiting.runId, done })
  if (stale > 0 && waiting.planAgain) await decideRest(play, waiting.runId, waiting.planAgain)
}

/** What a run left alone is planned again by itself, and carried out. */
const decideRest = async (play: Play, follows: string, planAgain: () => Plan): Promise<void> => {
  const { world, model } = play
  const runId = await world.follower(follows)
  const run = await world.work(runId)
  const plan = planAgain()
  await comparePlans(play, run, plan)
  const carryOut = () => applyPlan(model, plan)
  const changes = plan.rows.some(({ kind }) => kind !== 'conflict' && kind !== 'invalid')
  if (changes || run.state === 'held') return decide(play, { runId, rows: plan.rows, carryOut }, { ends: 'apply' })
  expect(run.state, 'succeeded', 'a run that changes nobody')
  play.done.push({ runId, done: carryOut() })
}

const settle = async (play: Play, waiting: Waiting, { ends, applying }: { ends: 'apply' | 'reject' | 'wait'; applying: Crash | null }) => {
  if (ends === 'wait') play.waiting = waiting
  else await decide(play, waiting, { ends, crash: applying })
}

const interferenceOf = ({ planning }: Trouble) => {
  if (planning === null) return undefined
  return planning === 'cancels' ? ({ cancels: true } as const) : { crash: planning }
}

/** A run over HR's file; answers its plan, where there is one. */
export const sync = async (play: Play, step: Extract<Step, { do: 'sync' }>): Promise<Plan | undefined> => {
  const { world, model } = play
  if (play.waiting) return undefined
  play.reading = step.reading ?? play.reading
  const { reading } = play
  const text = faulty(play.hr.feed(), step.fault)
  const runId = await world.start(text, reading)
  const readable = text.split('\n')[0] === feedOf([]).trimEnd()
  expect(runId !== undefined, readable, `a run of ${JSON.stringify(text)}`)
  if (runId === undefined) return undefined
  if (play.mapping.reading !== reading) play.mapping = { count: play.mapping.count + 1, reading }
  const run = await world.work(runId, interferenceOf(step.trouble))
  if (step.trouble.planning === 'cancels') {
    expect(run.state, 'cancelled', 'run')
    return undefined
  }
  const feed = { records: readFeed(text), reading, mapping: play.mapping.count }
  const { keys, rules } = model
  const planNow = () => planFeed({ ...model, keys, rules }, feed)
  const plan = planNow()
  expect(run.state === 'planned' || run.state === 'held', true, `run ${run.state} ${JSON.stringify(run.failure)}`)
  await comparePlans(play, run, plan)
  compareGuard(play, run, plan.rows)
  if (plan.feed.records.length === 0) expect(run.state, 'held', 'a run of nobody')
  await settle(
    play,
    { runId, rows: plan.rows, carryOut: () => applyPlan(model, plan), planAgain: planNow },
    { ends: step.ends, applying: step.trouble.applying },
  )
  return plan
}

/** A second sync of the same file: where the model has nothing to do and nothing to remember, no row is written. */
export const syncAgain = async (play: Play): Promise<void> => {
  const { world, model } = play
  const linksOf = () => JSON.stringify(model.people.map(({ link }) => link))
  const [written, links] = [await writtenRows(world.database, world.tenantId), linksOf()]
  const plain = { planning: null, applying: null }
  const plan = await sync(play, { do: 'sync', ends: 'apply', reading: null, fault: null, trouble: plain })
  if (plan?.rows.length === 0 && linksOf() === links) expect(await writtenRows(world.database, world.tenantId), written, 'what is written')
}

/** Takes one of the runs back that have changed somebody. */
export const undo = async (play: Play, step: Extract<Step, { do: 'undo' }>): Promise<void> => {
  const { world, model } = play
  const taken = pick(
    play.done.filter(({ done }) => done.applied > 0),
    step.which,
  )
  if (play.waiting || !taken) return
  const runId = await world.startUndo(taken.runId)
  const run = await world.work(runId, interferenceOf(step.trouble))
  if (step.trouble.planning === 'cancels') return expect(run.state, 'cancelled', 'run')
  const rows = planUndo(taken.done)
  await comparePlans(play, run, { rows })
  compareGuard(play, run, rows)
  const carryOut = () => applyUndo(model, { plan: rows, undone: taken.done })
  await settle(play, { runId, rows, carryOut }, { ends: step.ends, applying: step.trouble.applying })
}
