import * as contract from '@instep/contract/drift.ts'
import { permits } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Places } from '../../platform/http/access.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { listRunEvent } from '../../platform/runs/list-run.ts'
import { isOver, type RunRow } from '../../platform/runs/run.ts'
import { lockRun, patchRun } from '../../platform/runs/run-store.ts'
import { acceptedDrift } from './accepted.views.ts'
import { decideDrift } from './decide-drift.ts'
import { downloadDrift } from './download-drift.ts'
import { clearFindings, type DriftKey, findDriftSettings } from './drift.store.ts'
import { driftFindings, driftRuns, findDrift, linkCandidates, presentDrift } from './drift.views.ts'
import { queueDrift } from './drift-run.ts'
import { setDriftSettings } from './drift-schedules.ts'
import { revokeAccepted } from './revoke-accepted.ts'

export interface DriftRouteDeps {
  readonly db: Db
  readonly clock: Clock
  readonly continuation: Continuation
  readonly connectorHome: Places['connectorHome']
  /** Tells the worker of runs that there is one to carry out. */
  readonly nudgeRuns: () => void
  /** Accounts of a target are owed. */
  readonly nudge: (targetId: string) => void
}

interface Asked {
  readonly tenantId: string
  readonly params: { readonly id: string; readonly runId?: string }
}

const adminOf = (actor: Actor) => ({ kind: 'admin' as const, id: actor.id, name: actor.name })

/** The target by its own name and bits; throws `NOT_FOUND` and, for changes, `PERMISSION_MISSING`. */
const createDoor = ({ db, connectorHome }: DriftRouteDeps) => {
  const see = async ({ tenantId, params }: Asked): Promise<string> => {
    const { rows } = await sql<{ name: string }>`
      select name from provisioning_targets where tenant_id = ${tenantId} and target_id = ${params.id}`.execute(db)
    const [target] = rows
    if (!target) throw problem('NOT_FOUND')
    return target.name
  }
  const change = async (asked: Asked): Promise<string> => {
    const name = await see(asked)
    const home = await connectorHome(asked.params.id)
    if (!permits('editSettings', home?.permissions ?? 0)) throw problem('PERMISSION_MISSING')
    return name
  }
  const run = async ({ tenantId, params }: Asked & { params: { runId: string } }): Promise<RunRow & { key: DriftKey }> => {
    const key = { tenantId, targetId: params.id, runId: params.runId }
    const found = await findDrift(db, key)
    if (!found) throw problem('NOT_FOUND')
    return { ...found, key }
  }
  return { see, change, run }
}

/** What somebody has accepted at a target, and taking it back. */
const acceptedRoutes = (deps: DriftRouteDeps, door: ReturnType<typeof createDoor>): Route[] => [
  route(contract.listAcceptedDrift, async (call) => {
    await door.see(call)
    const { pageSize, continuationToken } = call.query
    const scope = [call.tenantId, contract.listAcceptedDrift.id, call.params.id]
    const [userId, attribute] = continuationToken ? deps.continuation.decode(scope, continuationToken) : []
    const after = userId === undefined ? null : { userId: String(userId), attribute: String(attribute) }
    const found = await acceptedDrift(deps.db, { tenantId: call.tenantId, targetId: call.params.id, after, limit: pageSize + 1 })
    const data = found.slice(0, pageSize)
    const last = data.at(-1)
    const more = last && found.length > data.length
    return { data, continuationToken: more ? deps.continuation.encode(scope, [last.userId, last.attribute ?? '']) : null }
  }),

  route(contract.revokeAcceptedDrift, async (call) => {
    const target = await door.change(call)
    const by = adminOf(call.actor)
    const revoked = await revokeAccepted(deps, {
      tenantId: call.tenantId,
      targetId: call.params.id,
      ...call.body,
      target,
      by,
      correlationId: call.correlationId,
    })
    if (revoked === 0) throw problem('NOT_FOUND')
    deps.nudge(call.params.id)
    return { revoked }
  }),
]

/** What of a target is other than it was applied. */
export const driftRoutes = (deps: DriftRouteDeps): Route[] => {
  const door = createDoor(deps)
  return [...readBackRoutes(deps, door), ...acceptedRoutes(deps, door)]
}

const readBackRoutes = (deps: DriftRouteDeps, door: ReturnType<typeof createDoor>): Route[] => {
  const { db, clock, continuation, nudgeRuns, nudge } = deps
  const keyOf = ({ tenantId, params }: Asked) => ({ tenantId, targetId: params.id })
  return [
    route(contract.getDrift, async (call) => {
      await door.see(call)
      const { settings, nextAt } = await findDriftSettings(db, keyOf(call))
      return { settings, nextAt: nextAt?.toISOString() ?? null, runs: await driftRuns(db, keyOf(call)) }
    }),

    route(contract.setDrift, async (call) => {
      await door.change(call)
      const { settings, nextAt } = await setDriftSettings(deps, keyOf(call), { ...call, settings: call.body })
      return { settings, nextAt: nextAt?.toISOString() ?? null }
    }),

    route(contract.startDrift, async (call) => {
      await door.change(call)
      const { correlationId } = call
      const by = adminOf(call.actor)
      const run = await db
        .transaction()
        .execute((tx) => queueDrift(tx, { ...keyOf(call), began: 'hand', putBack: false, by, correlationId, at: clock.now() }))
      if (!run) throw problem('RUN_ACTIVE')
      nudgeRuns()
      return presentDrift(run)
    }),

    route(contract.cancelDrift, async (call) => {
      await door.change(call)
      const { key } = await door.run(call)
      return presentDrift(await cancel(deps, key, call.actor))
    }),

    route(contract.listDriftFindings, async (call) => {
      const { key } = await door.run(call)
      const { kind, state, pageSize, continuationToken } = call.query
      const scope = [call.tenantId, contract.listDriftFindings.id, key.runId, kind, state]
      const after = continuationToken ? Number(continuation.decode(scope, continuationToken)[0]) : 0
      const found = await driftFindings(db, { ...key, kind, open: state === 'open', after, limit: pageSize + 1 })
      const data = found.slice(0, pageSize)
      const last = data.at(-1)
      return { data, continuationToken: last && found.length > data.length ? continuation.encode(scope, [last.sequence]) : null }
    }),

    route(contract.decideDrift, async (call) => {
      const target = await door.change(call)
      const { key, state } = await door.run(call)
      if (!isOver(state)) throw problem('RUN_STATE_WRONG', { params: { state } })
      const { decision, kind, sequences, userId } = call.body
      if (decision === 'link' && (userId === undefined || sequences?.length !== 1)) throw problem('INVALID')
      const decided = await decideDrift(deps, key, {
        decision,
        kind,
        sequences,
        userId: decision === 'link' ? userId : undefined,
        target,
        by: adminOf(call.actor),
        correlationId: call.correlationId,
      })
      if (decided.decided > 0 && (decision === 'putBack' || decision === 'link')) nudge(key.targetId)
      return decided
    }),

    route(contract.suggestDriftLinks, async (call) => {
      const { key } = await door.run(call)
      return { candidates: await linkCandidates(db, key, call.query.sequence) }
    }),

    route(contract.downloadDrift, async (call) => {
      const target = await door.see(call)
      const { key, createdAt } = await door.run(call)
      const fileName = `${target.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 80)}-drift-${createdAt.toISOString().slice(0, 10)}.csv`
      return { contentType: 'text/csv; charset=utf-8', fileName, body: downloadDrift(db, key, call.request.headers['accept-language']) }
    }),
  ]
}

/** Throws `RUN_STATE_WRONG` when the run is over. */
const cancel = ({ db, clock }: DriftRouteDeps, key: DriftKey, actor: Actor): Promise<RunRow> =>
  db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, key)
    if (!run) throw problem('NOT_FOUND')
    if (isOver(run.state)) throw problem('RUN_STATE_WRONG', { params: { state: run.state } })
    const decidedBy = adminOf(actor)
    // a worker that is at it ends the run itself, as soon as it sees the flag
    if (run.state === 'running') return run.cancelRequested ? run : patchRun(tx, key, { cancelRequested: true, decidedBy })
    const at = clock.now()
    await clearFindings(tx, key)
    await recordEvents(tx, [listRunEvent(run, at, { type: 'listRun.cancelled', actor: decidedBy })])
    return patchRun(tx, key, { state: 'cancelled', decidedBy, decidedAt: at, finishedAt: at })
  })
