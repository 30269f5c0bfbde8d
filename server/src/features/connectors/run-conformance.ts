import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Conformance } from '@instep/connectors/scim/check-conformance.ts'
import { CONFORMANCE_CHECKS, type ConformanceResult, type LeftOver } from '@instep/contract/conformance.ts'
import { type EventActor, type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isTransient } from '../../platform/runs/is-transient.ts'
import { LeaseLost, RunCancelled } from '../../platform/runs/lease.ts'
import type { RunPatch } from '../../platform/runs/run.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { findRun } from '../../platform/runs/run-store.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { type CheckKey, findCheck, noteMade, patchCheck } from './conformance.store.ts'
import { findConnector } from './connectors.store.ts'
import type { OpenConformance } from './open-target.ts'

export const CONFORMANCE_RUN = 'conformance'

export interface ConformanceRunDeps {
  readonly db: Db
  readonly clock: Clock
  readonly openConformance: OpenConformance
}

/** So long the throw-away account may take to be removed, whatever ended the run. */
const CLEANING_MS = 20_000

interface Ended {
  readonly patch: RunPatch
  readonly event: Pick<NewEvent, 'type' | 'data'>
  /** Whoever started the run, when left out. */
  readonly by?: EventActor
}

const keyOf = ({ run }: RunContext): CheckKey => ({ tenantId: run.tenantId, runId: run.id })

/** Tries the target from the start; what an earlier attempt left there is removed before. */
const tryTarget = async ({ db }: ConformanceRunDeps, context: RunContext, conformance: Conformance): Promise<Ended> => {
  const key = keyOf(context)
  const check = await findCheck(db, key)
  if (!check) throw new Error(`nothing is known of the try ${key.runId}`)
  const made = [...check.made]
  const { signal } = context
  if (made.length > 0) await conformance.cleanUp({ userName: check.userName, remoteIds: made }, { signal })
  const results: ConformanceResult[] = []
  const removeAll = (): Promise<LeftOver[]> =>
    conformance.cleanUp({ userName: check.userName, remoteIds: made }, { signal: AbortSignal.timeout(CLEANING_MS) })
  const remove = async (): Promise<LeftOver[]> => {
    const leftOvers = await removeAll()
    await patchCheck(db, key, { leftOvers })
    return leftOvers
  }
  try {
    await patchCheck(db, key, { discovery: await conformance.discover({ signal }) })
    const fitting = await conformance.check({
      userName: check.userName,
      signal,
      made: async (remoteId) => {
        made.push(remoteId)
        await noteMade(db, key, remoteId)
      },
      report: async (result) => {
        results.push(result)
        context.progress({ counts: { done: results.length, total: CONFORMANCE_CHECKS.length } })
        await patchCheck(db, key, { results })
      },
    })
    await patchCheck(db, key, { fitting })
  } catch (error) {
    await remove()
    throw error
  }
  const left = (await remove()).length
  const count = (outcome: ConformanceResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  return {
    patch: { state: left > 0 ? 'partlySucceeded' : 'succeeded', counts: { done: results.length, total: results.length } },
    event: { type: 'connector.conformance.finished', data: { yes: count('yes'), no: count('no'), left } },
  }
}

/** How a try ends that somebody cancelled; the throw-away account was removed, as far as the target let it be. */
const cancelled = async (db: Db, context: RunContext): Promise<Ended> => {
  const key = keyOf(context)
  const left = (await findCheck(db, key))?.leftOvers.length ?? 0
  const by = (await findRun(db, key))?.decidedBy
  return { patch: { state: 'cancelled' }, event: { type: 'connector.conformance.cancelled', data: { left } }, ...(by && { by }) }
}

/** Carries out tries of targets: each ends with one event; after a crash it begins anew and removes what the first attempt left. */
export const conformanceHandler = (deps: ConformanceRunDeps): RunHandler => {
  const { db, clock } = deps
  return async (context) => {
    const { run, signal } = context
    const targetId = run.connectorId ?? ''
    const target = await findConnector(db, { tenantId: run.tenantId, id: targetId })
    const end = ({ patch, event, by = run.createdBy }: Ended) =>
      db.transaction().execute(async (tx) => {
        const at = clock.now()
        const of = { tenantId: run.tenantId, at, stream: 'directory', correlationId: run.correlationId, actor: by } as const
        const data = { name: target?.name ?? '', ...event.data }
        await recordEvents(tx, [{ ...of, type: event.type, subjectId: targetId, connectorId: targetId, data }])
        await context.conclude(tx, { ...patch, finishedAt: at })
      })
    let conformance: Conformance | undefined
    try {
      conformance = await deps.openConformance(run.tenantId, targetId)
      await end(await tryTarget(deps, context, conformance))
    } catch (thrown) {
      const error: unknown = signal.aborted ? signal.reason : thrown
      if (signal.aborted && !(error instanceof RunCancelled)) throw error
      if (error instanceof LeaseLost || isTransient(error)) throw error
      if (error instanceof RunCancelled) return end(await cancelled(db, context))
      const detail = error instanceof ConnectorError ? error.detail : ''
      if (!(error instanceof ConnectorError)) context.log.error({ run: run.id, err: error }, 'a target could not be tried')
      const failure = { code: error instanceof ConnectorError ? error.code : 'INTERNAL', params: { detail } }
      await end({ patch: { state: 'failed', failure }, event: { type: 'connector.conformance.failed', data: { detail } } })
    } finally {
      await conformance?.close()
    }
  }
}
