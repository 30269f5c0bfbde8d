import { access, stat } from 'node:fs/promises'
import type { Fetched } from '@instep/connectors/kit/fetching-source.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { findSource } from './connector-config.store.ts'
import { reasonOf } from './fetch-answers.ts'
import { describeFetched, fetchIntoUpload, withSource } from './fetch-into-upload.ts'
import { runEvent } from './run-event.ts'
import { forgetRetries, retrySoon } from './schedules.store.ts'
import { settleSource } from './settle-source.ts'
import { findSourceState, recordFetch, type SourceKey } from './source-states.store.ts'
import { stageClock, waitingStages } from './stage-clock.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import type { SyncInput } from './sync-input.ts'
import { forgetUpload, uploadPath } from './uploads.ts'

interface Fetching {
  readonly deps: SyncRunDeps
  readonly context: RunContext
  readonly input: SyncInput
  readonly fetch: NonNullable<SyncInput['fetch']>
  readonly key: SourceKey & { name: string; correlationId: string }
}

const finishWithout = async ({ deps, context, input, fetch, key }: Fetching): Promise<void> => {
  const { run } = context
  const at = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ known: number }>`
      select count(*)::integer as known from source_links
      where tenant_id = ${key.tenantId} and connector_id = ${key.connectorId} and missing_since is null`.execute(tx)
    await recordFetch(tx, key, { at })
    await forgetRetries(tx, key)
    await forgetUpload(tx, { tenantId: key.tenantId, fileId: input.fileId, at })
    await recordEvents(tx, [runEvent(run, { type: 'run.nothingNew', at, data: { name: key.name } })])
    const ended = { state: 'succeeded', counts: { unchanged: rows[0]?.known ?? 0 }, finishedAt: at } as const
    await context.commit(tx, { ...ended, stages: waitingStages(), input: { ...input, fetch: { ...fetch, nothingNew: true } } })
  })
}

const keepFetched = async ({ deps, context, input, fetch, key }: Fetching, fetched: Fetched): Promise<SyncInput> => {
  const at = deps.clock.now()
  const { size } = await stat(uploadPath(deps.dataDir, input.fileId))
  const { watermark, extent, modifiedAt } = fetched
  const told = { watermark, extent, modifiedAt: modifiedAt?.toISOString() ?? null }
  const name = fetched.name.slice(0, 255)
  const ready: SyncInput = { ...input, fileName: name, fetch: { ...fetch, fetched: told } }
  await deps.db.transaction().execute(async (tx) => {
    await describeFetched(tx, { tenantId: key.tenantId, fileId: input.fileId, name, size })
    await recordFetch(tx, key, { at, seen: watermark })
    await forgetRetries(tx, key)
    await context.commit(tx, { input: ready })
  })
  return ready
}

const fail = async ({ deps, fetch, key }: Fetching, error: ConnectorError): Promise<void> => {
  const at = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    await recordFetch(tx, key, { at, error: reasonOf(error) })
    if (error.retryable && fetch.began === 'schedule') await retrySoon(tx, key, { at, seconds: error.retryAfterSeconds })
  })
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * The first part of the read stage of a run that fetches: leaves the file where an upload would lie; answers the input as it is then, or undefined
 * where there was nothing new and the run is over. After a crash what was not committed is fetched again.
 */
export const fetchForRun = async (given: Omit<Fetching, 'key'>): Promise<SyncInput | undefined> => {
  const { deps, context, input, fetch } = given
  const { tenantId, connectorId, correlationId } = context.run
  if (!connectorId) throw new Error(`run ${context.run.id} has no connector`)
  if (fetch.fetched && (await isThere(uploadPath(deps.dataDir, input.fileId)))) return input
  const name = (await findSource(deps.db, { tenantId, connectorId }))?.name ?? ''
  const fetching: Fetching = { ...given, key: { tenantId, connectorId, correlationId, name } }
  stageClock(waitingStages(), (stages) => context.progress({ stages })).start('read')
  await settleSource(deps, fetching.key, context)
  try {
    const { watermark } = await findSourceState(deps.db, fetching.key)
    const { signal } = context
    const fetched = await withSource(deps, fetching.key, (source) =>
      fetchIntoUpload(deps, { ...fetching.key, fileId: input.fileId }, { source, watermark, signal }),
    )
    if (fetched) return await keepFetched(fetching, fetched)
    await finishWithout(fetching)
    return undefined
  } catch (error) {
    if (!(error instanceof ConnectorError) || context.signal.aborted) throw error
    await fail(fetching, error)
    const { code, params } = reasonOf(error)
    throw new ConnectorError({ code: error.code, params, detail: code, cause: error })
  }
}
