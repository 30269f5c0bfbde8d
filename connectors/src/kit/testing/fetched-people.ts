import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFile } from '../../file/open-file.ts'
import type { Fetched, FetchingSource, JsonValue } from '../fetching-source.ts'
import { ConnectorError } from '../problem.ts'

export interface FetchSubject {
  /** A source with working settings; it finds changes, each with an overlap of ten minutes or none. */
  open(): FetchingSource
  /** The same with a password or token that is not the right one. */
  openWithWrongCredentials(): FetchingSource
  /** The same at an address where nobody listens. */
  openUnreachable(): FetchingSource
  /** Adds a person, or changes them, at a time. Ids are `P1`, `P2` … */
  put(id: string, at: Date): Promise<void>
  /** The connection of the next fetch breaks in the middle. */
  cutNext?: () => void
  /** The next request is never answered; `stalled` is called when it has come. */
  stallNext?: (stalled: () => void) => void
  readonly idColumn: string
  readonly secrets: readonly string[]
  close(): Promise<void>
}

const MINUTE = 60_000
const NEVER = new AbortController().signal

/** What the rows of a fetched file say, read as the sync reads it. */
export const readFetched = async (path: string): Promise<Record<string, string>[]> => {
  const source = await openFile({ path, name: 'people.csv' })
  const rows: Record<string, string>[] = []
  for await (const batch of source.rows())
    for (const { cells } of batch) rows.push(Object.fromEntries(source.header.map((name, index) => [name, cells[index] ?? ''])))
  return rows
}

/** The error of a promise that is refused, as text with everything a log could show. */
const errorText = async (promise: Promise<unknown>): Promise<{ code: string; text: string }> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ConnectorError)) throw new Error(`no ConnectorError but ${String(error)}`)
  return {
    code: error.code,
    text: [error.message, error.detail, error.stack, JSON.stringify(error.params), String(error.cause)].join('\n'),
  }
}

interface World {
  readonly dir: string
  /** The subject, once it is set up. */
  subject(): FetchSubject
  /** So many minutes after the test began. */
  minutes(count: number): Date
  fetch(
    source: FetchingSource,
    given?: { watermark?: JsonValue; limit?: number; now?: Date; signal?: AbortSignal },
  ): Promise<{ path: string; fetched: Fetched | undefined }>
  ids(path: string): Promise<(string | undefined)[]>
}

const createWorld = (setUp: () => Promise<FetchSubject>): World => {
  const dir = mkdtempSync(join(tmpdir(), 'instep-fetch-'))
  const start = new Date()
  const minutes = (count: number) => new Date(start.getTime() + count * MINUTE)
  let subject: FetchSubject | undefined
  let files = 0
  const ready = (): FetchSubject => {
    if (!subject) throw new Error('not set up')
    return subject
  }
  beforeAll(async () => {
    subject = await setUp()
    for (const number of [1, 2, 3, 4, 5]) await subject.put(`P${number}`, minutes(-60))
  })
  afterAll(async () => {
    await subject?.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    dir,
    subject: ready,
    minutes,
    fetch: async (source, given = {}) => {
      files += 1
      const path = join(dir, `${files}.csv`)
      try {
        return { path, fetched: await source.fetch({ path, watermark: null, limit: 2 ** 30, now: start, signal: NEVER, ...given }) }
      } finally {
        await source.close()
      }
    },
    ids: async (path) => (await readFetched(path)).map((row) => row[ready().idColumn]).sort(),
  }
}

const describeRefusals = ({ dir, subject, fetch }: World): void => {
  const refusals = [
    ['wrong credentials', 'SOURCE_UNAUTHORISED', () => subject().openWithWrongCredentials(), {}],
    ['an address where nobody listens', 'SOURCE_CONNECTION_REFUSED', () => subject().openUnreachable(), {}],
    ['more than the limit', 'FILE_TOO_LARGE', () => subject().open(), { limit: 100 }],
  ] as const
  it.each(refusals)('refuses %s with %s, without secrets and without a file', async (...[, code, open, given]) => {
    const error = await errorText(fetch(open(), given))
    expect(error.code).toBe(code)
    for (const secret of subject().secrets) expect(error.text).not.toContain(secret)
    expect(readdirSync(dir)).toEqual([])
  })

  it('does not begin when the signal is aborted', async () => {
    const reason = new Error('enough')
    await expect(fetch(subject().open(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(readdirSync(dir)).toEqual([])
  })
}

const describeBreaks = ({ dir, subject, fetch }: World): void => {
  it('leaves no file when the connection is cut in the middle', async () => {
    subject().cutNext?.()
    expect((await errorText(fetch(subject().open()))).code).toBe('SOURCE_CUT')
    expect(readdirSync(dir)).toEqual([])
  })

  it('ends by the signal, with its reason', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    subject().stallNext?.(() => controller.abort(reason))
    await expect(fetch(subject().open(), { signal: controller.signal })).rejects.toBe(reason)
    expect(readdirSync(dir)).toEqual([])
  })
}

const describeFetches = ({ subject, minutes, fetch, ids }: World): void => {
  let watermark: JsonValue = null

  it('fetches everybody', async () => {
    const { path, fetched } = await fetch(subject().open())
    watermark = fetched?.watermark ?? null
    expect(fetched).toMatchObject({ extent: 'full', name: expect.stringMatching(/\.csv$/) })
    expect(await ids(path)).toEqual(['P1', 'P2', 'P3', 'P4', 'P5'])
  })

  it('says so when there is nothing new', async () => {
    const { path, fetched } = await fetch(subject().open(), { watermark, now: minutes(30) })
    expect([fetched, existsSync(path)]).toEqual([undefined, false])
  })

  it('fetches what changed since, with every column', async () => {
    await subject().put('P2', minutes(31))
    await subject().put('P6', minutes(31))
    const { path, fetched } = await fetch(subject().open(), { watermark, now: minutes(45) })
    expect(fetched?.extent).toBe('changes')
    expect(await ids(path)).toEqual(['P2', 'P6'])
    const again = await fetch(subject().open(), { watermark: fetched?.watermark ?? null, now: minutes(80) })
    expect(again.fetched).toBeUndefined()
  })

  it('fetches everybody again when it is time, and when the watermark is none of its own', async () => {
    const late = await fetch(subject().open(), { watermark, now: minutes(25 * 60) })
    const foreign = await fetch(subject().open(), { watermark: { since: 5 } })
    for (const { path, fetched } of [late, foreign]) {
      expect(fetched?.extent).toBe('full')
      expect(await ids(path)).toEqual(['P1', 'P2', 'P3', 'P4', 'P5', 'P6'])
    }
  })
}

const describeOne = ({ subject }: World): void => {
  const readOne = async (source: FetchingSource, value: string, { column = subject().idColumn, signal = NEVER } = {}) => {
    try {
      if (!source.readOne) throw new Error('cannot be asked for one person')
      const one = await source.readOne({ column, value }, signal)
      return one && Object.fromEntries(one.columns.map((name, place) => [name, one.cells[place] ?? '']))
    } finally {
      await source.close()
    }
  }

  it('reads one person, under the columns that a fetch gives them', async () => {
    const one = await readOne(subject().open(), ' P2 ')
    expect(one?.[subject().idColumn]).toBe('P2')
    expect(Object.values(one ?? {}).join(' ')).toContain('Zoé')
  })

  it('says that there is nobody of a key, however odd the key is', async () => {
    for (const value of ['P', 'P99', '..', '../P1', 'P1)(uid=*', '*', 'P1?x=1#y', 'Zoé\0'])
      expect([value, await readOne(subject().open(), value)]).toEqual([value, undefined])
  })

  it('does not take somebody for the one asked for who has another column’s value', async () => {
    await expect(readOne(subject().open(), 'P1', { column: 'nowhere' })).rejects.toMatchObject({ code: 'SOURCE_RECORD_UNCLEAR' })
  })

  it('refuses wrong credentials for one person as for all, without secrets, and ends by the signal', async () => {
    const error = await errorText(readOne(subject().openWithWrongCredentials(), 'P1'))
    expect(error.code).toBe('SOURCE_UNAUTHORISED')
    for (const secret of subject().secrets) expect(error.text).not.toContain(secret)
    const reason = new Error('enough')
    await expect(readOne(subject().open(), 'P1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
}

/** What the sync relies on of every source that is fetched. A real system may not be made to break (`canBreak`). */
export const describeFetchedPeople = (name: string, setUp: () => Promise<FetchSubject>, { canBreak = true } = {}): void => {
  describe(`${name} as a source that is fetched`, () => {
    const world = createWorld(setUp)
    it('connects', async () => {
      const source = world.subject().open()
      expect((await source.test(NEVER)).found?.name).toBeTruthy()
      await source.close()
    })
    describeRefusals(world)
    if (canBreak) describeBreaks(world)
    describeFetches(world)
    describeOne(world)
  })
}
