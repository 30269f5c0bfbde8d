import type { ListRun } from '@instep/contract/exports.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { listRunEvent } from '../../platform/runs/list-run.ts'
import { isOver, type RunRow } from '../../platform/runs/run.ts'
import { findRun, lockRun, patchRun } from '../../platform/runs/run-store.ts'

const KINDS: readonly string[] = ['exportUsers', 'clearOverrides', 'syncUsers', 'emptySite'] satisfies ListRun['kind'][]

/** A run over a list as one caller asks for it. */
export interface ListRunKey {
  readonly tenantId: string
  readonly runId: string
  readonly actor: Actor
}

/** A run over a list as the contract shows it. */
export const presentListRun = (run: RunRow): ListRun => ({
  id: run.id,
  kind: run.kind as ListRun['kind'],
  correlationId: run.correlationId,
  state: run.state,
  done: run.counts['done'] ?? 0,
  total: run.counts['total'] ?? null,
  leftAlone: run.counts['leftAlone'] ?? 0,
  fileName: run.state === 'succeeded' && typeof run.input.fileName === 'string' ? run.input.fileName : null,
  failure: run.failure && { code: run.failure.code },
  createdBy: run.createdBy.name,
  createdAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
  version: run.version,
})

const visible = (run: RunRow | undefined, { actor }: ListRunKey): RunRow => {
  if (!run || !KINDS.includes(run.kind) || !(run.createdBy.id === actor.id || isTenantLevel(actor.roles))) throw problem('NOT_FOUND')
  return run
}

/** Whether the caller still sees every site whose people the run's starter saw. */
export const seesAll = ({ sites }: Actor, { input }: RunRow): boolean => {
  const seen = input['sites']
  return sites === 'all' || (Array.isArray(seen) && seen.every((site) => sites.includes(String(site))))
}

/** The run, for its own starter and at tenant level; throws `NOT_FOUND`. */
export const findListRun = async (db: Db, key: ListRunKey): Promise<RunRow> => visible(await findRun(db, key), key)

/** Stops a run that is not over; throws `NOT_FOUND`, `RUN_STATE_WRONG`. */
export const cancelListRun = ({ db, clock }: { db: Db; clock: Clock }, key: ListRunKey): Promise<RunRow> =>
  db.transaction().execute(async (tx: Tx) => {
    const run = visible(await lockRun(tx, key), key)
    if (isOver(run.state)) throw problem('RUN_STATE_WRONG', { params: { state: run.state } })
    const decidedBy = { kind: 'admin' as const, id: key.actor.id, name: key.actor.name }
    // a worker that is at it ends the run itself, as soon as it sees the flag
    if (run.state === 'running') return run.cancelRequested ? run : patchRun(tx, key, { cancelRequested: true, decidedBy })
    const at = clock.now()
    await recordEvents(tx, [listRunEvent(run, at, { type: 'listRun.cancelled', actor: decidedBy })])
    return patchRun(tx, key, { state: 'cancelled', decidedBy, decidedAt: at, finishedAt: at })
  })
