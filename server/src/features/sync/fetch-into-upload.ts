import { rm } from 'node:fs/promises'
import type { Fetched, FetchingSource, JsonValue } from '@instep/connectors/kit/fetching-source.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { findHostKey, type SourceKey } from './source-states.store.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import { ensureUploadFolder, uploadPath } from './uploads.ts'

type FetchDeps = Pick<SyncRunDeps, 'db' | 'clock' | 'dataDir' | 'openSource' | 'maxFileBytes'>

/** Works with an open source and closes it. Throws ConnectorError, also where nothing is to be fetched. */
export const withSource = async <T>(
  { db, openSource }: Pick<FetchDeps, 'db' | 'openSource'>,
  key: SourceKey,
  work: (source: FetchingSource) => Promise<T>,
): Promise<T> => {
  const source = await openSource(key, { hostKey: await findHostKey(db, key) })
  if (!source) throw new ConnectorError({ code: 'SOURCE_SETTINGS_INVALID', params: { property: 'delivery' } })
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

/** Fetches a source into the file of an upload whose row is there already; undefined where there is nothing new. */
export const fetchIntoUpload = async (
  deps: FetchDeps,
  key: SourceKey & { fileId: string },
  { source, watermark, signal }: { source: FetchingSource; watermark: JsonValue; signal: AbortSignal },
): Promise<Fetched | undefined> => {
  const path = uploadPath(deps.dataDir, key.fileId)
  await ensureUploadFolder(deps.dataDir)
  // what an attempt left that died in the middle
  await rm(path, { force: true })
  return source.fetch({ path, watermark, limit: deps.maxFileBytes, now: deps.clock.now(), signal })
}

/** A fetched file's row as it is once the file is there. */
export const describeFetched = async (
  db: Db | Tx,
  file: { tenantId: string; fileId: string; name: string; size: number; format?: 'csv' | 'xlsx' },
): Promise<void> => {
  const format = file.format ?? (/\.xlsx$/i.test(file.name) ? 'xlsx' : 'csv')
  await sql`
    update files set name = ${file.name}, size = ${file.size}, format = ${format}
    where tenant_id = ${file.tenantId} and id = ${file.fileId}`.execute(db)
}
