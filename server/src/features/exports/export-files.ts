import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How long the file of a complete export is kept. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000

const folderOf = (dataDir: string): string => join(dataDir, 'exports')

/** Where the file of an export lies. */
export const exportPath = (dataDir: string, runId: string): string => join(folderOf(dataDir), runId)

/** Makes the folder where it is missing; only this process's user may look into it. */
export const ensureExportFolder = async (dataDir: string): Promise<void> => {
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 })
}

/** Whether the file is still there. */
export const hasExport = (dataDir: string, runId: string): Promise<boolean> =>
  stat(exportPath(dataDir, runId)).then(
    () => true,
    () => false,
  )

/** Removes the file of an export. */
export const removeExport = (dataDir: string, runId: string): Promise<void> => rm(exportPath(dataDir, runId), { force: true })

/** Removes files that have been kept for a day. */
export const sweepExports = async (dataDir: string, at: Date): Promise<void> => {
  const names = await readdir(folderOf(dataDir)).catch(() => [])
  for (const name of names) {
    const path = join(folderOf(dataDir), name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < at.getTime() - KEPT_MILLISECONDS) await rm(path, { force: true })
  }
}
