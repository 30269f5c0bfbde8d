import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

/** Where an uploaded file's bytes lie. */
export const uploadPath = (dataDir: string, fileId: string): string => join(dataDir, 'files', fileId)

/** Makes the folder for uploaded files where it is missing; only this process's user may look into it. */
export const ensureUploadFolder = async (dataDir: string): Promise<void> => {
  await mkdir(join(dataDir, 'files'), { recursive: true, mode: 0o700 })
}

/** Says that a file's bytes are no longer kept, where the run had one; they are removed after the transaction. */
export const forgetUpload = async (
  tx: Tx,
  { tenantId, fileId, at }: { tenantId: string; fileId: string | undefined; at: Date },
): Promise<void> => {
  if (!fileId) return
  await sql`update files set deleted_at = ${at} where tenant_id = ${tenantId} and id = ${fileId} and deleted_at is null`.execute(tx)
}

export const removeUpload = async (dataDir: string, fileId: string | undefined): Promise<void> => {
  if (fileId) await rm(uploadPath(dataDir, fileId), { force: true })
}

/**
 * Removes bytes that nothing will read again: of runs that are over, and of uploads that a crash cut off. To be called before calls are
 * served, because an upload under way has no row yet.
 */
export const sweepUploads = async (db: Db, dataDir: string): Promise<void> => {
  await ensureUploadFolder(dataDir)
  const names = await readdir(join(dataDir, 'files'))
  if (names.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id::text as id from files where deleted_at is null and id::text = any (${names})`.execute(db)
  const kept = new Set(rows.map(({ id }) => id))
  for (const name of names) if (!kept.has(name)) await removeUpload(dataDir, name)
}
