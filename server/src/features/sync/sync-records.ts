import { CHANGING_KINDS } from '@instep/contract/plan-kinds.ts'
import type { SourceRecord, SyncedRecord } from '@instep/contract/source-record.ts'
import pLimit from 'p-limit'
import { Problem } from '../../platform/http/problem.ts'
import { type BringingIn, type Brought, bringRecordsIn, type KeyedRecord, type RecordDeps } from './bring-records-in.ts'
import { type AskedPerson, type ReadRecord, readSourceRecord } from './read-source-record.ts'

export interface AskedSync extends AskedPerson {
  /** Absent: the record is only looked at. */
  readonly bringIn?: BringingIn | undefined
}

export interface AskedSyncs {
  readonly tenantId: string
  readonly people: readonly { readonly connectorId: string; readonly userId: string }[]
  readonly signal: AbortSignal
  /** Absent: the records are only looked at. */
  readonly bringIn?: BringingIn | undefined
}

/** The record where the directory would change by it; a conflict or an invalid record waits for a person as it is. */
const changeOf = ({ record: { key, told }, came }: ReadRecord, userId: string): KeyedRecord | undefined => {
  const changes = told !== null && CHANGING_KINDS.some((kind) => kind === told.decision.kind) && told.match.person?.id === userId
  return changes && came && key !== null ? { key, came } : undefined
}

/**
 * The first steps of a sync by hand: reads the record, and where the directory would change by it, has a run over this record alone plan it, lets the
 * guards look at it, and carries it out. Whoever is not in the source now is left to a run over everybody. Throws as `readSourceRecord` does.
 */
export const syncRecord = async (deps: RecordDeps, { bringIn, ...asked }: AskedSync): Promise<SyncedRecord> => {
  const read = await readSourceRecord(deps, asked)
  const change = bringIn && changeOf(read, asked.userId)
  const brought = change ? await bringRecordsIn(deps, asked, { bringing: bringIn, records: [change] }) : null
  return { ...read.record, brought }
}

/** So many records are asked for at once. */
const READS = 4

/** One record may take too long; of a source where two did, it is the source. */
const SLOW = 'SOURCE_TIMEOUT'

/** Answers that are about the source, whomever it is asked for. */
const SILENCE: ReadonlySet<string> = new Set([
  SLOW,
  'SOURCE_UNREACHABLE',
  'SOURCE_HOST_UNKNOWN',
  'SOURCE_CONNECTION_REFUSED',
  'SOURCE_CERTIFICATE',
  'SOURCE_NETWORK',
  'SOURCE_ADDRESS_REFUSED',
  'SOURCE_SETTINGS_INVALID',
  'SOURCE_UNAUTHORISED',
  'SOURCE_FORBIDDEN',
  'SOURCE_THROTTLED',
  'SOURCE_UNAVAILABLE',
])

/** Reads each person's record; a source that did not answer for one is not asked for the next. Whoever is gone meanwhile is left out. */
const readAll = async (deps: RecordDeps, { people, ...asked }: AskedSyncs): Promise<Map<string, ReadRecord>> => {
  const silent = new Map<string, NonNullable<SourceRecord['cause']>>()
  const slow = new Set<string>()
  const found = new Map<string, ReadRecord>()
  const limit = pLimit(READS)
  await limit.map(people, async (person) => {
    asked.signal.throwIfAborted()
    try {
      const read = await readSourceRecord(deps, { ...asked, ...person, unasked: silent.get(person.connectorId) })
      const { cause } = read.record
      if (cause?.code === SLOW && !slow.has(person.connectorId)) slow.add(person.connectorId)
      else if (cause && SILENCE.has(cause.code)) silent.set(person.connectorId, cause)
      found.set(person.userId, read)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  })
  return found
}

/** A connector that was switched off, or is gone, since its records were read. */
const switchedOff = (error: unknown): Brought => {
  if (error instanceof Problem) return { outcome: 'failed', runId: null }
  throw error
}

/**
 * The same for several people: what is new is brought in by as few runs as can be, one a connector where its records have the same columns. Gives each
 * person's record; whoever is gone meanwhile, or is of no source, has none.
 */
export const syncRecords = async (deps: RecordDeps, { bringIn, ...asked }: AskedSyncs): Promise<Map<string, SyncedRecord>> => {
  const read = await readAll(deps, asked)
  const changed = asked.people.flatMap(({ connectorId, userId }) => {
    const found = read.get(userId)
    const change = found && changeOf(found, userId)
    return change ? [{ connectorId, userId, ...change }] : []
  })
  const synced = new Map([...read].map(([userId, { record }]): [string, SyncedRecord] => [userId, { ...record, brought: null }]))
  if (!bringIn) return synced
  const runs = Map.groupBy(changed, ({ connectorId, came }) => JSON.stringify([connectorId, came.columns]))
  for (const records of runs.values()) {
    const [{ connectorId } = { connectorId: '' }] = records
    const brought = await bringRecordsIn(deps, { ...asked, connectorId }, { bringing: bringIn, records }).catch(switchedOff)
    for (const { userId } of records) {
      const record = synced.get(userId)
      if (record) synced.set(userId, { ...record, brought })
    }
  }
  return synced
}
