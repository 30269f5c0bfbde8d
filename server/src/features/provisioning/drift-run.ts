import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Target } from '@instep/connectors/kit/target.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { listRunEvent, listRunHandler } from '../../platform/runs/list-run.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import type { TargetKey } from './account.store.ts'
import { holdBack } from './drift.rules.ts'
import { addMissing, addPage, clearFindings, countKnown, type DriftKey, dropOldFindings, forgetSeen } from './drift.store.ts'
import { putBack } from './put-back.ts'

/** The kind of run that reads a target back. */
export const DRIFT_RUN = 'drift'

const Input = z.object({ target: z.string(), began: z.enum(['hand', 'schedule']), putBack: z.boolean() })
type Input = z.infer<typeof Input>

export interface NewDrift extends TargetKey, Pick<Input, 'began' | 'putBack'> {
  readonly by: EventActor
  readonly correlationId: string
  readonly at: Date
}

/** Queues a run; undefined while the target has one that is not over. Throws `NOT_FOUND` and `CONNECTOR_DISABLED`. */
export const queueDrift = async (tx: Tx, given: NewDrift): Promise<RunRow | undefined> => {
  const { tenantId, targetId, began, by, correlationId, at } = given
  const { rows } = await sql<{ name: string; enabled: boolean }>`
    select name, enabled from provisioning_targets where tenant_id = ${tenantId} and target_id = ${targetId}`.execute(tx)
  const [target] = rows
  if (!target) throw problem('NOT_FOUND')
  if (!target.enabled) throw problem('CONNECTOR_DISABLED')
  const input: Input = { target: target.name, began, putBack: given.putBack }
  const id = uuidv7(at.getTime())
  const made = { createdBy: by, createdAt: at }
  const run = await insertRun(tx, { tenantId, id, kind: DRIFT_RUN, connectorId: targetId, correlationId, input, stages: [], ...made })
  if (!run) return undefined
  await recordEvents(tx, [{ ...listRunEvent(run, at, { type: 'drift.started', data: { target: target.name } }), connectorId: targetId }])
  return run
}

export interface DriftDeps {
  readonly db: Db
  readonly clock: Clock
  readonly openTarget: (tenantId: string, targetId: string) => Promise<Target>
  /** Accounts of the target are owed. */
  readonly onPutBack: (targetId: string) => void
}

type Counts = Record<'known' | 'listed' | 'changed' | 'missing' | 'unknown' | 'putBack', number> & { total?: number }

const WAITS = [1000, 5000, 15_000]
/** Tries after the first; a read changes nothing, so that it may be made again. */
const patiently = async <T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      const wait = WAITS[tries]
      if (signal.aborted || wait === undefined || !(error instanceof ConnectorError && error.retryable)) throw error
      const wished = Math.min(error.retryAfterSeconds ?? 0, 300) * 1000
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, Math.max(wait, wished))
        signal.addEventListener('abort', done)
      })
      signal.throwIfAborted()
    }
  }
}

/** Reads page by page; a page and what it tells are kept in one transaction, then forgotten here. */
const readAll = async ({ db }: DriftDeps, context: RunContext, { key, target, began }: { key: DriftKey; target: Target; began: Date }) => {
  const { signal } = context
  const counts: Counts = { known: await countKnown(db, key), listed: 0, changed: 0, missing: 0, unknown: 0, putBack: 0 }
  let next: number | null = 1
  while (next !== null) {
    signal.throwIfAborted()
    const from: number = next
    const page = await patiently(signal, () => target.list(from, { signal }))
    await db.transaction().execute(async (tx) => {
      const told = await addPage(tx, key, { accounts: page.accounts, began, sequence: counts.changed + counts.unknown })
      counts.listed += told.listed
      counts.changed += told.changed
      counts.unknown += told.unknown
      counts.total = page.total
      await context.commit(tx, { counts: { ...counts } })
    })
    next = page.next
  }
  return counts
}

/** Puts back what the run found, when it was asked to and nothing speaks against it. */
const correct = async (tx: Tx, { run, key, counts, at }: { run: RunRow; key: DriftKey; counts: Counts; at: Date }) => {
  const held = holdBack({ ...counts, total: counts.total ?? null })
  if (held || !Input.parse(run.input).putBack) return { held, putBack: 0 }
  const accounts = sql`
    select user_id, remote_id from drift_findings
    where tenant_id = ${key.tenantId} and run_id = ${key.runId} and kind in ('changed', 'missing') and state = 'open'`
  const people = await putBack(tx, { ...key, accounts, correlationId: run.correlationId })
  await sql`
    update drift_findings set state = 'putBack', decided_by = ${JSON.stringify(run.createdBy)}, decided_at = ${at}
    where tenant_id = ${key.tenantId} and run_id = ${key.runId} and user_id = any(${people}::uuid[])`.execute(tx)
  return { held: null, putBack: people.length }
}

const work = async (deps: DriftDeps, context: RunContext) => {
  const { db, clock } = deps
  const { run } = context
  const targetId = run.connectorId ?? ''
  const key = { tenantId: run.tenantId, targetId, runId: run.id }
  const { target: name } = Input.parse(run.input)
  await clearFindings(db, key)
  // what was applied while the target was read says nothing about what was read
  const began = clock.now()
  let target: Target | undefined
  try {
    target = await deps.openTarget(run.tenantId, targetId)
    const counts = await readAll(deps, context, { key, target, began })
    const held = await db.transaction().execute(async (tx) => {
      const found = await addMissing(tx, key, { began, sequence: counts.changed + counts.unknown })
      counts.missing = found.missing
      counts.unknown = found.unknown
      const corrected = await correct(tx, { run, key, counts, at: clock.now() })
      counts.putBack = corrected.putBack
      await forgetSeen(tx, key)
      await dropOldFindings(tx, key)
      await context.commit(tx, { counts: { ...counts } })
      return corrected.held
    })
    if (counts.putBack > 0) deps.onPutBack(targetId)
    const { changed, missing, unknown } = counts
    const data = { target: name, changed, missing, unknown, putBack: counts.putBack }
    return { patch: { counts: { ...counts }, held }, event: { type: held ? 'drift.held' : 'drift.finished', data } }
  } catch (error) {
    if (!(error instanceof ConnectorError) || context.signal.aborted) throw error
    await clearFindings(db, key)
    const failure = { code: error.code, params: { detail: error.detail } }
    return { patch: { state: 'failed' as const, failure }, event: { type: 'drift.failed', data: { target: name, detail: error.detail } } }
  } finally {
    await target?.close()
  }
}

/**
 * Carries out read-backs. One that is cut short begins again from nothing; one that is cancelled or fails leaves no findings, because half a list
 * would call the other half missing.
 */
export const driftHandler = (deps: DriftDeps): RunHandler =>
  listRunHandler({
    ...deps,
    discard: (run) => clearFindings(deps.db, { tenantId: run.tenantId, runId: run.id }),
    work: (context) => work(deps, context),
  })
