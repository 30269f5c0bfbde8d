/**
 * What the sandbox remembers: a file of JSON lines, each `[collection, key, value]`, the last line of a key counts and `null` removes it.
 * A line is with the operating system before `put` returns, so a killed process loses nothing that it answered for.
 */
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Journal {
  /** What was remembered when the journal was opened, oldest first. */
  read(collection: string): ReadonlyMap<string, unknown>
  put(collection: string, key: string, value: unknown): void
  remove(collection: string, key: string): void
  close(): void
}

type Collections = Map<string, Map<string, unknown>>

const isEntry = (line: unknown): line is [string, string, unknown] =>
  Array.isArray(line) && line.length === 3 && typeof line[0] === 'string' && typeof line[1] === 'string'

const parse = (line: string): [string, string, unknown] | undefined => {
  try {
    const entry: unknown = JSON.parse(line)
    return isEntry(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

/** The last line may be cut where the process was killed while writing it; an unreadable line before it is damage. */
const load = (file: string): Collections => {
  const collections: Collections = new Map()
  if (!existsSync(file)) return collections
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const entry = parse(line)
    if (!entry) {
      if (index === lines.length - 1) break
      throw new Error(`${file} line ${index + 1} cannot be read. Remove the file to start with an empty sandbox.`)
    }
    const [name, key, value] = entry
    const collection = collections.get(name) ?? new Map<string, unknown>()
    collections.set(name, collection)
    if (value === null) collection.delete(key)
    else collection.set(key, value)
  }
  return collections
}

const LINES_PER_WRITE = 1000

/** Writes what is live to a new file and puts it in the old one's place in one step. */
const compact = (file: string, collections: Collections) => {
  const draft = `${file}.new`
  const descriptor = openSync(draft, 'w', 0o600)
  let lines: string[] = []
  const flush = () => {
    if (lines.length > 0) appendFileSync(descriptor, `${lines.join('\n')}\n`)
    lines = []
  }
  for (const [name, collection] of collections) {
    for (const [key, value] of collection) {
      lines.push(JSON.stringify([name, key, value]))
      if (lines.length >= LINES_PER_WRITE) flush()
    }
  }
  flush()
  closeSync(descriptor)
  renameSync(draft, file)
}

/** Opens a journal, compacting it first. Throws when the file is damaged before its last line. */
export const openJournal = (file: string): Journal => {
  mkdirSync(dirname(file), { recursive: true })
  const collections = load(file)
  compact(file, collections)
  const descriptor = openSync(file, 'a', 0o600)
  const append = (entry: [string, string, unknown]) => {
    appendFileSync(descriptor, `${JSON.stringify(entry)}\n`)
  }
  return {
    read: (collection) => collections.get(collection) ?? new Map(),
    put: (collection, key, value) => append([collection, key, value]),
    remove: (collection, key) => append([collection, key, null]),
    close: () => closeSync(descriptor),
  }
}
