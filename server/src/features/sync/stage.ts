import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { RecordSource } from '@instep/connectors/kit/source.ts'
import { type MappedField, readMapped } from '@instep/contract/mapped-field.ts'
import type pg from 'pg'
import { copyInto } from '../../platform/db/copy.ts'
import type { Tx } from '../../platform/db/database.ts'
import { onClient } from './on-client.ts'
import type { ResolvedMapping } from './resolve-mapping.ts'
import { createProfiler, type SourceProfile } from './source-profile.ts'

const COLUMNS = ['tenant_id', 'run_id', 'row_number', 'source_key', 'record_hash', 'raw'] as const
/** 128 bits of SHA-256, enough that two records of one person never meet by chance. */
const HASH_DIGITS = 32

/** What was staged. */
export interface Staged {
  readonly records: number
  /** Records whose key is empty or cannot be read; nobody can say whose they are. */
  readonly unreadableKeys: number
  /** What the source looked like, for the next run. */
  readonly profile: SourceProfile
}

interface Staging {
  readonly tenantId: string
  readonly runId: string
  readonly source: RecordSource
  /** As the profile keeps it. */
  readonly encoding: SourceProfile['encoding']
  readonly mapping: ResolvedMapping
  readonly signal: AbortSignal
  readonly progress: (records: number) => void
  /** Keeps what the source looked like, in the transaction of the records. */
  readonly keep: (tx: Tx, profile: SourceProfile) => Promise<void>
}

/**
 * Makes the function that fingerprints a record: over the mapped columns' raw cells only, each with its length, so that columns added, removed
 * or moved elsewhere make no difference.
 */
export const recordHasher = (columns: readonly MappedField[]): ((cells: readonly string[]) => string) => {
  const places = columns.flatMap((column) => column.places)
  return (cells) => {
    let text = ''
    for (const place of places) {
      const cell = cells[place] ?? ''
      text += `${cell.length}:${cell}`
    }
    return `\\x${hash('sha256', text, 'hex').slice(0, HASH_DIGITS)}`
  }
}

/** The key of a record, read as the mapped external id is; null where it is empty or no text. */
export const keyReader = (columns: readonly MappedField[]): ((cells: readonly string[]) => string | null) => {
  const column = columns.find(({ field }) => field === 'externalId')
  if (!column) return () => null
  return (cells) => {
    const read = readMapped(cells, column)
    return !read || 'wrong' in read ? null : read.value
  }
}

const copyRecords = async (client: pg.ClientBase, staging: Staging): Promise<Staged> => {
  const { tenantId, runId, source, encoding, mapping, signal, progress } = staging
  const hashOf = recordHasher(mapping.columns)
  const keyOf = keyReader(mapping.columns)
  const profiler = createProfiler({ header: source.header, encoding }, mapping)
  const sink = copyInto(client, 'staged_records', COLUMNS)
  const finished = once(sink, 'finish', { signal })
  // a failure is seen below, or where the loop waits for room
  finished.catch(() => undefined)
  let records = 0
  let unreadableKeys = 0
  try {
    for await (const batch of source.rows(signal)) {
      for (const row of batch) {
        const { number, cells } = row
        const key = keyOf(cells)
        if (key === null) unreadableKeys += 1
        profiler.add(row)
        if (!sink.write([tenantId, runId, number, key, hashOf(cells), JSON.stringify(cells)]))
          await Promise.race([once(sink, 'drain'), finished])
      }
      records += batch.length
      progress(records)
    }
    sink.end()
    await finished
  } catch (error) {
    sink.destroy()
    throw error
  }
  return { records, unreadableKeys, profile: profiler.profile() }
}

/** Reads the whole source into `staged_records`, in one transaction of this client; what an earlier attempt left is replaced. */
export const stageRecords = async (client: pg.ClientBase, staging: Staging): Promise<Staged> => {
  await client.query('begin')
  try {
    await client.query('delete from staged_records where run_id = $1', [staging.runId])
    const staged = await copyRecords(client, staging)
    await staging.keep(onClient(client), staged.profile)
    await client.query('commit')
    // the joins that follow are planned by these figures
    await client.query('analyze staged_records')
    return staged
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
