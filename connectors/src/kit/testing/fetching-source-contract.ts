import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFile } from '../../file/open-file.ts'
import type { FetchingSource, FetchRequest, JsonValue } from '../fetching-source.ts'

/** Somebody in the outside system. */
export interface HeldPerson {
  readonly id: string
  readonly name: string
}

/** An outside system with somebody to fetch, and ways to open a source on it; one subject serves the whole suite. */
export interface FetchingSubject {
  /** Makes the outside system say exactly this, newer than what it said before. */
  hold(people: readonly HeldPerson[]): Promise<void>
  /** A source with the right settings. */
  open(): FetchingSource
  /** Absent where there are no credentials. */
  readonly openWithWrongCredentials?: () => FetchingSource
  openUnreachable(): FetchingSource
  /** Ends the connection in the middle of what is fetched next. Absent where there is no connection. */
  readonly cutNext?: () => void
  /** What was put aside. Absent where nothing is. */
  readonly archived?: () => Promise<readonly string[]>
  /** Column of the fetched file that holds the id. Default `id`. */
  readonly idColumn?: string
  /** Whether the source tells what changed only; then it need not name people who stayed as they were. */
  readonly changesOnly?: boolean
  close(): Promise<void>
}

const LIMIT = 10_000_000
const people = (...ids: string[]): HeldPerson[] => ids.map((id) => ({ id, name: `Zoë "${id}", Example` }))

const idsIn = async (file: string, { name, column }: { name: string; column: string }): Promise<string[]> => {
  const table = await openFile({ path: file, name })
  const at = table.header.indexOf(column)
  const ids: string[] = []
  for await (const rows of table.rows()) for (const { cells } of rows) ids.push(cells[at] ?? '')
  return ids.toSorted()
}

/** What every test needs: requests, and sources that are closed again. */
const createKit = (subject: () => FetchingSubject, folder: string) => {
  let count = 0
  const request = (change: Partial<FetchRequest> = {}): FetchRequest => {
    count += 1
    const standard = { path: path.join(folder, String(count)), watermark: null, limit: LIMIT, now: new Date() }
    return { ...standard, signal: new AbortController().signal, ...change }
  }
  const using = async <T>(source: FetchingSource, work: (source: FetchingSource) => Promise<T>): Promise<T> => {
    try {
      return await work(source)
    } finally {
      await source.close()
    }
  }
  const fetchOnce = async (change: Partial<FetchRequest> = {}) => {
    const asked = request(change)
    return using(subject().open(), async (opened) => ({ asked, fetched: await opened.fetch(asked) }))
  }
  const fetchAll = async (watermark: JsonValue = null) => {
    const { asked, fetched } = await fetchOnce({ watermark })
    if (!fetched) throw new Error('there was nothing new')
    return { ...fetched, ids: await idsIn(asked.path, { name: fetched.name, column: subject().idColumn ?? 'id' }) }
  }
  return { subject, request, using, fetchOnce, fetchAll }
}

type Kit = ReturnType<typeof createKit>

const describeRefusals = (kit: Kit): void => {
  it('refuses wrong credentials, in a test and in a fetch, and leaves no file', async () => {
    const openWrong = kit.subject().openWithWrongCredentials
    if (!openWrong) return
    await kit.subject().hold(people('A1'))
    const refused = { code: 'SOURCE_UNAUTHORISED' }
    const test = kit.using(openWrong(), (source) => source.test(new AbortController().signal))
    await expect(test).rejects.toMatchObject(refused)
    const asked = kit.request()
    await expect(kit.using(openWrong(), (source) => source.fetch(asked))).rejects.toMatchObject(refused)
    expect(existsSync(asked.path)).toBe(false)
  })

  it('says that it cannot be reached', async () => {
    const test = kit.using(kit.subject().openUnreachable(), (source) => source.test(new AbortController().signal))
    await expect(test).rejects.toMatchObject({ code: expect.stringMatching(/^SOURCE_(UNREACHABLE|FOLDER_MISSING)$/) })
  })

  it('refuses what is larger than allowed, and leaves no file', async () => {
    await kit.subject().hold(people('A1', 'A2', 'A3'))
    const asked = kit.request({ limit: 10 })
    await expect(kit.using(kit.subject().open(), (source) => source.fetch(asked))).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect(existsSync(asked.path)).toBe(false)
  })

  it('ends by its signal, with the reason of the signal', async () => {
    const reason = new Error('enough')
    const asked = kit.request({ signal: AbortSignal.abort(reason) })
    await expect(kit.using(kit.subject().open(), (source) => source.fetch(asked))).rejects.toBe(reason)
    expect(existsSync(asked.path)).toBe(false)
  })

  it('notices a connection that ends too early, leaves no file, and fetches everything the next time', async () => {
    const { cutNext } = kit.subject()
    if (!cutNext) return
    await kit.subject().hold(people(...Array.from({ length: 5000 }, (_, index) => `C${index}`)))
    cutNext()
    const asked = kit.request()
    await expect(kit.using(kit.subject().open(), (source) => source.fetch(asked))).rejects.toMatchObject({
      code: 'SOURCE_CUT',
      retryable: true,
    })
    expect(existsSync(asked.path)).toBe(false)
    expect((await kit.fetchAll()).ids).toHaveLength(5000)
  })
}

const describeFetches = (kit: Kit): void => {
  it('tells what it would fetch', async () => {
    await kit.subject().hold(people('A1', 'A2'))
    const { found } = await kit.using(kit.subject().open(), (source) => source.test(new AbortController().signal))
    expect(found?.name).toBeTruthy()
  })

  it('fetches everything, then nothing new, then what came since', async () => {
    await kit.subject().hold(people('B1', 'B2'))
    const first = await kit.fetchAll()
    expect(first).toMatchObject({ extent: 'full', ids: ['B1', 'B2'] })
    expect((await kit.fetchOnce({ watermark: first.watermark })).fetched).toBeUndefined()
    expect((await kit.fetchAll()).ids).toEqual(['B1', 'B2'])
    await kit.subject().hold(people('B1', 'B2', 'B3'))
    const second = await kit.fetchAll(first.watermark)
    expect(second.ids).toEqual(expect.arrayContaining(kit.subject().changesOnly ? ['B3'] : ['B1', 'B2', 'B3']))
    expect((await kit.fetchOnce({ watermark: second.watermark })).fetched).toBeUndefined()
  })

  it('is a file, which cannot be asked for one record', async () => {
    expect(await kit.using(kit.subject().open(), async ({ readOne }) => readOne)).toBeUndefined()
  })

  it('has watermarks that survive being stored', async () => {
    await kit.subject().hold(people('S1'))
    const { watermark } = await kit.fetchAll()
    expect(JSON.parse(JSON.stringify(watermark))).toEqual(watermark)
  })

  it('puts aside what was applied, twice as well as once, and nothing that came meanwhile', async () => {
    const { archived } = kit.subject()
    if (!archived) return
    await kit.subject().hold(people('D1'))
    const before = (await archived()).length
    const { watermark } = await kit.fetchAll()
    const settle = () => kit.using(kit.subject().open(), async (source) => source.settle?.({ watermark }, new AbortController().signal))
    await settle()
    await settle()
    expect(await archived()).toHaveLength(before + 1)
    expect((await kit.fetchOnce({ watermark })).fetched).toBeUndefined()
    await kit.subject().hold(people('D1', 'D2'))
    await settle()
    expect(await archived()).toHaveLength(before + 1)
    expect((await kit.fetchAll(watermark)).ids).toEqual(['D1', 'D2'])
  })
}

/** What the sync relies on. Every source that is fetched passes it. */
export const describeFetchingSource = (name: string, setUp: () => Promise<FetchingSubject>): void => {
  describe(`${name} as a source`, () => {
    let subject: FetchingSubject
    const folder = mkdtempSync(path.join(tmpdir(), 'instep-fetched-'))
    beforeAll(async () => {
      subject = await setUp()
    }, 60_000)
    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true })
      await subject?.close()
    })
    const kit = createKit(() => subject, folder)
    describeRefusals(kit)
    describeFetches(kit)
  })
}
