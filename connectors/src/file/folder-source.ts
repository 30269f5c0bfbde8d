import { constants } from 'node:fs'
import { link, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { FetchingSource } from '../kit/fetching-source.ts'
import { ConnectorError } from '../kit/problem.ts'
import { type FileSettings, folderRules } from './delivery-settings.ts'
import { type Files, type Folder, type FolderEntry, type FolderTiming, fetchFromFolder } from './fetched-folder.ts'

export interface FolderOptions extends FolderTiming {
  /** The folder below which everything must lie, set by the operator; undefined where folders are not to be read at all. */
  readonly root: string | undefined
}

const ARCHIVE = 'archive'

const refused = (folder: string): ConnectorError =>
  new ConnectorError({ code: 'SOURCE_FOLDER_REFUSED', params: { folder }, detail: folder })

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))

const asProblem = (folder: string) => (error: unknown) => {
  if (isAbsent(error)) throw new ConnectorError({ code: 'SOURCE_FOLDER_MISSING', params: { folder }, detail: folder, cause: error })
  if (['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code)))
    throw new ConnectorError({ code: 'SOURCE_UNAUTHORISED', detail: folder, cause: error })
  throw error
}

/** The folder that a relative name means. Throws SOURCE_FOLDER_REFUSED where it lies outside the root, by name or by a link. */
const resolveFolder = async (root: string, name: string): Promise<string> => {
  const parts = name.split(/[/\\]/)
  if (name.includes('\0') || path.isAbsolute(name) || path.win32.isAbsolute(name) || parts.includes('..')) throw refused(name)
  const base = await realpath(root).catch(asProblem(name))
  const wanted = path.join(base, ...parts)
  const real = await realpath(wanted).catch(asProblem(name))
  // a link anywhere on the way makes the two differ, wherever it leads
  if (real !== path.normalize(wanted).replace(/(.)[/\\]+$/, '$1')) throw refused(name)
  return real
}

const entryOf = async (folder: string, name: string): Promise<FolderEntry | undefined> => {
  const stats = await lstat(path.join(folder, name)).catch((error: unknown) => {
    if (isAbsent(error)) return undefined
    throw error
  })
  return stats?.isFile() ? { name, size: stats.size, modifiedAt: stats.mtime } : undefined
}

/** Moves a file to a place that is free; one that is taken stays as it is. */
const moveToFree = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
    await rm(from)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || isAbsent(error)) return
    // a file system without hard links
    await rename(from, to)
  }
}

/** Files of a folder, which is resolved anew for each. */
const filesIn = (resolve: () => Promise<string>, name: string): Files => ({
  look: async (file) => entryOf(await resolve(), file),
  read: async (file) => {
    // without waiting: a pipe that took the file's place would never open
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const handle = await open(path.join(await resolve(), file), flags).catch(asProblem(name))
    if (!(await handle.stat()).isFile()) {
      await handle.close()
      throw refused(name)
    }
    return handle.createReadStream()
  },
})

/** Every step resolves the folder again, because whoever may write there may put a link in its place at any time. */
const localFolder = (root: string, name: string): Folder => {
  const resolve = () => resolveFolder(root, name)
  const resolveArchive = () => resolveFolder(root, path.join(name, ARCHIVE))
  const archived = filesIn(resolveArchive, name)
  return {
    ...filesIn(resolve, name),
    list: async () => {
      const folder = await resolve()
      const entries = await readdir(folder, { withFileTypes: true }).catch(asProblem(name))
      const found = await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => entryOf(folder, entry.name)))
      return found.filter((entry) => entry !== undefined)
    },
    archive: async (file, as) => {
      const folder = await resolve()
      await mkdir(path.join(folder, ARCHIVE), { recursive: true }).catch(asProblem(name))
      const archive = await resolveArchive()
      await rename(path.join(folder, file), path.join(archive, as)).catch((error: unknown) => {
        if (!isAbsent(error)) asProblem(name)(error)
      })
    },
    archived: {
      ...archived,
      look: async (as) =>
        archived.look(as).catch((error: unknown) => {
          if (error instanceof ConnectorError && error.code === 'SOURCE_FOLDER_MISSING') return undefined
          throw error
        }),
    },
    giveBack: async (as, file) =>
      moveToFree(path.join(await resolveArchive(), as), path.join(await resolve(), file)).catch(asProblem(name)),
    close: async () => {},
  }
}

/** Files that are put into a folder of this machine. Throws SOURCE_FOLDER_OFF where the operator allows none. */
export const createFolderSource = (settings: FileSettings, { root, ...timing }: FolderOptions): FetchingSource => {
  if (!root) throw new ConnectorError({ code: 'SOURCE_FOLDER_OFF' })
  const { folder } = settings.properties
  const name = typeof folder === 'string' ? folder : ''
  return fetchFromFolder(async () => localFolder(root, name), folderRules(settings), timing)
}
