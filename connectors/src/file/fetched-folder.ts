/** What folders on this machine and folders on an SFTP server have in common: which file is meant, whether it is complete, and putting it aside. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Fetched, FetchingSource, FetchRequest, JsonValue } from '../kit/fetching-source.ts'
import { ConnectorError } from '../kit/problem.ts'
import { saveStream, tooLarge } from '../kit/save-stream.ts'
import { fitsPattern } from './name-pattern.ts'
import { openFile } from './open-file.ts'

export interface FolderEntry {
  readonly name: string
  readonly size: number
  readonly modifiedAt: Date
}

/** Files under their names. */
export interface Files {
  look(name: string): Promise<FolderEntry | undefined>
  read(name: string): Promise<Readable>
}

/** A folder as a source needs it. Everything throws ConnectorError where the folder cannot be used. */
export interface Folder extends Files {
  /** Plain files in it; no folders, no links. */
  list(): Promise<FolderEntry[]>
  /** Moves a file into the folder `archive` inside this one, under another name; a file that is not there is moved already. */
  archive(name: string, as: string): Promise<void>
  readonly archived: Files
  /** Moves a file out of the archive to where it was, unless there is one by now; one that is not in the archive is back already. */
  giveBack(as: string, name: string): Promise<void>
  hostKey?(): string | undefined
  close(): Promise<void>
}

export interface FolderRules {
  /** `*` and `?`; the newest file whose name fits is meant. */
  readonly pattern: string
  /** `stable`: size and time stay the same for a while; `manifest`: a file `<name>.manifest.json` says that it is complete. */
  readonly ready: 'stable' | 'manifest'
  readonly archive: boolean
}

export interface FolderTiming {
  /** Waits; rejects with the signal's reason. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly stableSeconds: number
}

const LOOKS = 6
const MANIFEST_LIMIT = 65_536
const manifestOf = (name: string): string => `${name}.manifest.json`

interface Mark {
  readonly name: string
  readonly size: number
  readonly modifiedAt: string
  /** Of what was read; older marks have none. */
  readonly sha256?: string
}

const markOf = ({ name, size, modifiedAt }: FolderEntry): Mark => ({ name, size, modifiedAt: modifiedAt.toISOString() })
const isSame = (a: Mark, b: Mark): boolean => a.name === b.name && a.size === b.size && a.modifiedAt === b.modifiedAt

const readMark = (watermark: JsonValue): Mark | undefined => {
  if (watermark === null || typeof watermark !== 'object' || !('name' in watermark)) return undefined
  const { name, size, modifiedAt, sha256 } = watermark as Record<string, JsonValue>
  if (typeof name !== 'string' || typeof size !== 'number' || typeof modifiedAt !== 'string') return undefined
  return { name, size, modifiedAt, ...(typeof sha256 === 'string' && { sha256 }) }
}

/** Whether a file says something after what was applied last; an older one that was left lying is not news, unless it takes the same name. */
const isNews = (entry: FolderEntry, last: Mark | undefined): boolean => {
  if (!last) return true
  const mark = markOf(entry)
  return !isSame(mark, last) && (mark.modifiedAt >= last.modifiedAt || mark.name === last.name)
}

const newest = (entries: readonly FolderEntry[]): FolderEntry | undefined =>
  entries.toSorted((a, b) => b.modifiedAt.getTime() - a.modifiedAt.getTime() || (a.name < b.name ? 1 : -1))[0]

/** Files that fit, without manifests; where manifests are asked for, only those that have one. */
const candidates = (entries: readonly FolderEntry[], { pattern, ready }: FolderRules): FolderEntry[] => {
  const names = new Set(entries.map(({ name }) => name))
  return entries.filter(
    ({ name }) => fitsPattern(name, pattern) && !name.endsWith('.manifest.json') && (ready !== 'manifest' || names.has(manifestOf(name))),
  )
}

const wrong = (reason: string): ConnectorError => new ConnectorError({ code: 'SOURCE_MANIFEST_WRONG', params: { reason }, detail: reason })

interface Manifest {
  readonly rows?: number
  readonly sha256?: string
}

const readManifest = async (folder: Files, name: string): Promise<Manifest> => {
  const entry = await folder.look(manifestOf(name))
  if (!entry || entry.size > MANIFEST_LIMIT) throw wrong('unreadable')
  const stream = await folder.read(entry.name)
  try {
    const { rows, sha256 } = JSON.parse(await text(stream)) as Record<string, unknown>
    if ((rows !== undefined && !Number.isInteger(rows)) || (sha256 !== undefined && typeof sha256 !== 'string')) throw wrong('unreadable')
    if (rows === undefined && sha256 === undefined) throw wrong('unreadable')
    return { ...(typeof rows === 'number' ? { rows } : {}), ...(typeof sha256 === 'string' ? { sha256 } : {}) }
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof TypeError ? wrong('unreadable') : error
  }
}

const countRows = async (path: string, name: string, signal: AbortSignal): Promise<number> => {
  const file = await openFile({ path, name })
  let rows = 0
  for await (const batch of file.rows(signal)) rows += batch.length
  return rows
}

const assertAgrees = async (
  manifest: Manifest,
  saved: { path: string; name: string; sha256: string; signal: AbortSignal },
): Promise<void> => {
  if (manifest.sha256 !== undefined && manifest.sha256.toLowerCase() !== saved.sha256) throw wrong('sha256')
  if (manifest.rows !== undefined && manifest.rows !== (await countRows(saved.path, saved.name, saved.signal))) throw wrong('rows')
}

/** Looks until size and time stay the same from one look to the next. Undefined: the file went away. */
const untilStable = async (
  folder: Folder,
  first: FolderEntry,
  { pause, stableSeconds, signal }: FolderTiming & { signal: AbortSignal },
) => {
  let before = first
  for (let look = 0; look < LOOKS; look += 1) {
    await pause(stableSeconds * 1000, signal)
    const now = await folder.look(first.name)
    if (!now) return undefined
    if (isSame(markOf(before), markOf(now))) return now
    before = now
  }
  throw new ConnectorError({ code: 'SOURCE_GROWING', params: { name: first.name }, retryable: true, detail: 'still being written' })
}

/** Answers the SHA-256 of what was saved. */
const save = async (
  folder: Folder,
  rules: FolderRules,
  { entry, request }: { entry: FolderEntry; request: FetchRequest },
): Promise<string> => {
  const { path, limit, signal } = request
  if (entry.size > limit) throw tooLarge(limit)
  const manifest = rules.ready === 'manifest' ? await readManifest(folder, entry.name) : undefined
  const { size, sha256 } = await saveStream(await folder.read(entry.name), { path, limit, signal })
  try {
    const after = await folder.look(entry.name)
    if (size !== entry.size || !after || !isSame(markOf(after), markOf(entry)))
      throw new ConnectorError({ code: 'SOURCE_CUT', retryable: true, detail: 'the file changed while it was read' })
    if (manifest) await assertAgrees(manifest, { path, name: entry.name, sha256, signal })
    return sha256
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** `people.csv`, archived at a moment: `people.20260314T050000000Z.csv`. */
const archivedName = (name: string, at: Date): string => {
  const stamp = at.toISOString().replaceAll(/[-:.]/g, '')
  const dot = name.indexOf('.')
  return dot > 0 ? `${name.slice(0, dot)}.${stamp}${name.slice(dot)}` : `${name}.${stamp}`
}

const hashOf = async (stream: Readable): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Whether a file in the archive is the one that was read. Another time alone says nothing: some servers date a file anew when they move it. */
const wasRead = async (archived: Files, as: string, mark: Mark): Promise<boolean> => {
  const moved = await archived.look(as)
  if (!moved || mark.sha256 === undefined || isSame({ ...markOf(moved), name: mark.name }, mark)) return true
  return moved.size === mark.size && (await hashOf(await archived.read(as))) === mark.sha256
}

/** Moves what was read into the archive. Between the look and the move another file can take its place: such a one goes back, for it was never read. */
const putAside = async (folder: Folder, mark: Mark, { withManifest }: { withManifest: boolean }): Promise<void> => {
  const as = archivedName(mark.name, new Date(mark.modifiedAt))
  const entry = await folder.look(mark.name)
  if (entry && isSame(markOf(entry), mark)) {
    // the manifest first: after a crash in between the file is still there to be put aside
    if (withManifest) await folder.archive(manifestOf(mark.name), manifestOf(as))
    await folder.archive(mark.name, as)
  }
  if (await wasRead(folder.archived, as, mark)) return
  await folder.giveBack(as, mark.name)
  if (!withManifest) return
  // beside a new file the manifest of the one that was read would say that it is complete
  const manifest = await readManifest(folder.archived, as).catch(() => undefined)
  if (manifest?.sha256?.toLowerCase() !== mark.sha256) await folder.giveBack(manifestOf(as), manifestOf(mark.name))
}

/** Fetches the newest file of a folder, once it is complete, and puts it aside when its run was applied. */
export const fetchFromFolder = (
  open: (signal: AbortSignal) => Promise<Folder>,
  rules: FolderRules,
  timing: FolderTiming,
): FetchingSource => {
  let folder: Promise<Folder> | undefined
  const opened = (signal: AbortSignal): Promise<Folder> => {
    signal.throwIfAborted()
    folder ??= open(signal)
    return folder
  }
  const fetchOnce = async (request: FetchRequest): Promise<Fetched | undefined> => {
    const there = await opened(request.signal)
    const found = newest(candidates(await there.list(), rules))
    if (!found || !isNews(found, readMark(request.watermark))) return undefined
    const entry = rules.ready === 'stable' ? await untilStable(there, found, { ...timing, signal: request.signal }) : found
    if (!entry) return undefined
    const sha256 = await save(there, rules, { entry, request })
    return { name: entry.name, extent: 'full', modifiedAt: entry.modifiedAt, watermark: { ...markOf(entry), sha256 } }
  }
  return {
    test: async (signal) => {
      const there = await opened(signal)
      const found = newest(candidates(await there.list(), rules))
      const hostKey = there.hostKey?.()
      return { found: found ?? null, ...(hostKey ? { hostKey } : {}) }
    },
    fetch: fetchOnce,
    settle: async ({ watermark }, signal) => {
      const mark = readMark(watermark)
      if (!rules.archive || !mark) return
      await putAside(await opened(signal), mark, { withManifest: rules.ready === 'manifest' })
    },
    close: async () => {
      await folder?.then(
        (there) => there.close(),
        () => undefined,
      )
    },
  }
}
