import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Fetched, FetchingSource, FetchRequest, OneRecord, RecordKey } from '@instep/connectors/kit/fetching-source.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { bindFilter } from './bind-filter.rules.ts'
import { compileFilter } from './compile-filter.ts'
import { parseFilter } from './filter-text.rules.ts'
import { extensionCells, peopleHeader, peopleLine, personCells } from './people-table.rules.ts'
import { activeExtensions, activePeople, countActive, findActive, lastChange } from './pushed-people.views.ts'
import type { Place } from './resources.store.ts'
import { ENTERPRISE_ID, USER_KIND } from './scim-schemas.ts'

const FILE_NAME = 'scim-people.csv'

/** One moment of the database for as long as it is read: the people and the change number belong together. */
const atOneMoment = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

/** The columns by key, each named as the first who has it writes it; in the order of their keys, so that a file is the same for the same people. */
const extensionColumns = async (tx: Tx, place: Place): Promise<Map<string, string>> => {
  const names = new Map<string, string>()
  for await (const resources of activeExtensions(tx, place, [ENTERPRISE_ID]))
    for (const { key, name } of resources.flatMap(extensionCells)) if (!names.has(key)) names.set(key, name)
  return new Map([...names].sort(([left], [right]) => (left < right ? -1 : 1)))
}

const writeLines = async (file: WriteStream, lines: readonly string[], signal: AbortSignal): Promise<void> => {
  if (!file.write(lines.join(''))) await once(file, 'drain', { signal })
}

const writePeople = async (tx: Tx, place: Place, { path, limit, signal }: FetchRequest): Promise<void> => {
  const file = createWriteStream(path, { flags: 'wx' })
  const closed = finished(file)
  // reported by the write that fails
  closed.catch(() => undefined)
  try {
    let bytes = 0
    const write = async (lines: readonly string[]) => {
      signal.throwIfAborted()
      bytes += lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
      if (bytes > limit) throw new ConnectorError({ code: 'FILE_TOO_LARGE', params: { limit } })
      await writeLines(file, lines, signal)
    }
    const extensions = await extensionColumns(tx, place)
    const keys = [...extensions.keys()]
    await write([peopleLine(peopleHeader([...extensions.values()]))])
    for await (const people of activePeople(tx, place)) await write(people.map((person) => peopleLine(personCells(person, keys))))
    file.end()
    await closed
  } finally {
    file.destroy()
  }
}

/** The columns of the table that name somebody, as paths of SCIM. */
const KEYS: Readonly<Record<string, string>> = {
  id: 'id',
  externalId: 'externalId',
  userName: 'userName',
  employeeNumber: `${ENTERPRISE_ID}:employeeNumber`,
}

const readPushed = async (tx: Tx, place: Place, { column, value }: RecordKey): Promise<OneRecord | undefined> => {
  const unclear = (count: number) => new ConnectorError({ code: 'SOURCE_RECORD_UNCLEAR', params: { host: 'SCIM', column, count } })
  const attribute = KEYS[column]
  if (!attribute) throw unclear(0)
  const condition = compileFilter(USER_KIND, bindFilter(USER_KIND, parseFilter(`${attribute} eq ${JSON.stringify(value.trim())}`)))
  const [person, ...others] = await findActive(tx, place, { condition, limit: 2 })
  if (others.length > 0) throw unclear(2)
  if (!person) return undefined
  const extensions = [...new Map(extensionCells(person.resource).map(({ key, name }) => [key, name]))]
  const columns = peopleHeader(extensions.map(([, name]) => name))
  return {
    columns,
    cells: personCells(
      person,
      extensions.map(([key]) => key),
    ),
    modifiedAt: person.pushedAt,
  }
}

/**
 * What was pushed to a connector, as a source: the active users as a CSV file, everybody in it. Whoever is inactive or removed is left out, and so is a
 * leaver whom the guard looks at like any other. The watermark is the number of the last change; nothing is new while it stays. A connector to
 * which nothing was ever pushed has nothing new either, rather than nobody.
 */
export const scimInSource = (db: Db, place: Place): FetchingSource => ({
  test: async (signal) => {
    signal.throwIfAborted()
    return atOneMoment(db, async (tx) => {
      const last = await lastChange(tx, place)
      return { found: last ? { name: FILE_NAME, size: await countActive(tx, place), modifiedAt: last.at } : null }
    })
  },
  readOne: async (key, signal) => {
    signal.throwIfAborted()
    return atOneMoment(db, (tx) => readPushed(tx, place, key))
  },
  fetch: async (request): Promise<Fetched | undefined> => {
    request.signal.throwIfAborted()
    return atOneMoment(db, async (tx) => {
      const last = await lastChange(tx, place)
      if (!last || last.change === request.watermark) return undefined
      await writePeople(tx, place, request)
      return { name: FILE_NAME, extent: 'full', modifiedAt: last.at, watermark: last.change }
    })
  },
  close: async () => undefined,
})
