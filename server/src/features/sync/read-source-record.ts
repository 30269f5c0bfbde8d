import type { OneRecord } from '@instep/connectors/kit/fetching-source.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Explanation } from '@instep/contract/explain.ts'
import { transformsOf } from '@instep/contract/mapped-field.ts'
import type { SourceRecord } from '@instep/contract/source-record.ts'
import { Problem, problem } from '../../platform/http/problem.ts'
import type { SourceConnector } from './connector-config.store.ts'
import { findExplainedPerson, findLink, findRecord } from './explain.views.ts'
import { explainNamed } from './explain-record.ts'
import { explainUser } from './explain-run.ts'
import { reasonOf } from './fetch-answers.ts'
import { anySource } from './source-for-fetch.ts'
import { findHostKey } from './source-states.store.ts'
import { newestStaged, stagedHeader } from './staged.store.ts'
import type { SyncDeps } from './sync-deps.ts'

type Deps = Pick<SyncDeps, 'db' | 'clock' | 'pool' | 'openSource'>

/** In milliseconds: a run may wait for a source and try again, who looks at a screen does not. */
const LONGEST = 20_000

export interface AskedPerson {
  readonly tenantId: string
  readonly connectorId: string
  readonly userId: string
  readonly signal: AbortSignal
  /** How long the source may take, in milliseconds; 20,000 unless said otherwise. */
  readonly longest?: number
  /** Why the source is not to be asked again, as it did not answer just now. */
  readonly unasked?: SourceRecord['cause'] | undefined
}

/** What was read, and the record as it came where the source was asked and has one. */
export interface ReadRecord {
  readonly record: SourceRecord
  readonly came: OneRecord | undefined
}

/** What the newest run saw of somebody; null where none did. */
const seenByRun = async (deps: Deps, asked: AskedPerson): Promise<Explanation | null> => {
  try {
    return await explainUser(deps, asked)
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/**
 * The cell that names a record, as it stands in the source. Where the mapping does something to it, the key says no longer what it was, and only a record
 * that is still kept tells. Undefined where nothing does.
 */
const cellOfKey = async (
  { db }: Deps,
  { tenantId, connectorId }: AskedPerson,
  { source, key }: { source: SourceConnector; key: string },
): Promise<{ column: string; value: string } | undefined> => {
  const from = source.config.mapping?.fields.externalId
  if (from?.column === undefined) return undefined
  const { column } = from
  if (transformsOf(from).length === 0) return { column, value: key }
  const staged = await newestStaged(db, { tenantId, connectorId })
  const header = staged && (await stagedHeader(db, { tenantId, runId: staged.runId }))
  const kept = staged && (await findRecord(db, { runId: staged.runId, key }))
  const value = kept?.cells[header?.indexOf(column) ?? -1]
  return value === undefined ? undefined : { column, value }
}

type Cause = NonNullable<SourceRecord['cause']>

const because = (code: string): Cause => ({ code, params: {} })

/** Asks the source; a code says why it was not asked, or what it answered instead. */
const ask = async (
  deps: Deps,
  asked: AskedPerson,
  { source, key }: { source: SourceConnector; key: string },
): Promise<{ came: OneRecord | undefined } | Cause> => {
  if (!source.enabled) return because('disabled')
  if (asked.unasked) return asked.unasked
  const cell = await cellOfKey(deps, asked, { source, key })
  const time = AbortSignal.timeout(asked.longest ?? LONGEST)
  try {
    const opened = await deps.openSource(asked, { hostKey: await findHostKey(deps.db, asked) })
    try {
      if (!opened?.readOne) return because(source.definitionId === 'file' ? 'file' : 'noAddress')
      if (!cell) return because('keyMade')
      return { came: await opened.readOne(cell, AbortSignal.any([asked.signal, time])) }
    } finally {
      await opened?.close()
    }
  } catch (error) {
    if (time.aborted && !asked.signal.aborted) return { code: 'SOURCE_TIMEOUT', params: { host: source.name } }
    if (!(error instanceof ConnectorError) || asked.signal.aborted) throw error
    const { code, params } = reasonOf(error)
    return { code, params: { ...params } }
  }
}

/**
 * Reads one person's record from the source, as it is there now, and follows it through the configuration in force. Where the source cannot be asked, or
 * does not answer, tells what the newest run saw. Keeps nothing. Throws `NOT_FOUND` and CONNECTOR_KIND_WRONG.
 */
export const readSourceRecord = async (deps: Deps, asked: AskedPerson): Promise<ReadRecord> => {
  const { tenantId, connectorId, userId } = asked
  const source = await anySource(deps.db, asked)
  if ((await findExplainedPerson(deps.db, { tenantId, userId }))?.connectorId !== connectorId) throw problem('NOT_FOUND')
  const key = (await findLink(deps.db, { tenantId, connectorId, userId }))?.key ?? null
  const nothing = { at: null, cause: null, key, told: null }
  if (key === null || source.definitionId === 'manual') return { record: { ...nothing, from: 'directory' }, came: undefined }
  const answer = await ask(deps, asked, { source, key })
  if ('code' in answer) {
    const told = await seenByRun(deps, asked)
    return { record: { from: 'run', at: told?.run?.createdAt ?? null, cause: answer, key, told }, came: undefined }
  }
  const { came } = answer
  const from = source.definitionId === 'scim-in' ? 'pushed' : 'read'
  const at = (came?.modifiedAt ?? deps.clock.now()).toISOString()
  const told = came ? await explainNamed(deps, asked, { header: came.columns, cells: came.cells }) : null
  return { record: { ...nothing, from, at, told }, came }
}
