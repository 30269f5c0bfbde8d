import { type ChangeMark, changesFrom, markOf, minutesBefore } from '../kit/change-window.ts'
import { tooLarge } from '../kit/csv-writer.ts'
import type { Fetched, FetchingSource, FetchRequest, OneRecord, RecordKey } from '../kit/fetching-source.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { StoredSettings } from '../kit/read-settings.ts'
import { createRecordSpool } from '../kit/record-spool.ts'
import { flattenRecord } from './flatten-record.ts'
import { valueAt } from './json-path.ts'
import { parseJson } from './json-text.ts'
import { headerOf, isWebPage, type Place, pageProblem, type RestAnswer } from './rest-answers.ts'
import { createSigner } from './rest-authentication.ts'
import { createPager, firstAddress, type RestPage } from './rest-paging.ts'
import { type RestSettings, readRestSettings } from './rest-settings.ts'
import { createRestTransport, type RestOptions } from './rest-transport.ts'

const DAY = 86_400_000

/** An instant in the form that the system takes. A day alone is the one before: which day it is there is not known. */
const changedText = (since: Date, format: RestSettings['changes']['format']): string => {
  if (format === 'date') return new Date(since.getTime() - DAY).toISOString().slice(0, 10)
  if (format === 'epochSeconds') return String(Math.floor(since.getTime() / 1000))
  if (format === 'epochMilliseconds') return String(since.getTime())
  return since.toISOString().replace(/\.\d{3}Z$/, 'Z')
}

const isRecord = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

/** An answer as JSON. Throws SOURCE_WEB_PAGE, SOURCE_NOT_JSON. */
const readBody = (answer: RestAnswer, place: Place): unknown => {
  if (isWebPage(answer)) throw pageProblem('SOURCE_WEB_PAGE', place)
  if (!answer.isUtf8) throw pageProblem('SOURCE_NOT_JSON', place)
  try {
    return parseJson(answer.text)
  } catch {
    throw pageProblem('SOURCE_NOT_JSON', place)
  }
}

/** The records of an answer. Throws as `readBody` does, and SOURCE_RECORDS_ABSENT. */
const readPage = (answer: RestAnswer, settings: RestSettings, page: number): RestPage => {
  const place = { host: settings.url.host, page }
  // how some systems say that there is no more; where pages are named by the one before, it would hide the rest
  if (answer.status === 204 && ['none', 'page', 'offset'].includes(settings.paging.kind)) return { body: null, records: [], link: '' }
  const body = readBody(answer, place)
  const records = valueAt(body, settings.recordsPath)
  if (!Array.isArray(records) || !records.every(isRecord))
    throw pageProblem('SOURCE_RECORDS_ABSENT', place, { params: { path: settings.recordsPathText } })
  return { body, records, link: headerOf(answer, 'link') }
}

const createPages = (settings: RestSettings, options: RestOptions) => {
  const transport = createRestTransport(settings, options)
  const signer = createSigner(settings, transport, options.now ?? (() => new Date()))

  const request = async (url: URL, page: number, signal: AbortSignal): Promise<RestAnswer> => {
    const { headers, parameters } = await signer.sign(signal)
    const signed = new URL(url)
    for (const [name, value] of Object.entries(parameters)) signed.searchParams.set(name, value)
    const sent = { accept: 'application/json', 'user-agent': 'Instep', ...headers }
    return transport.exchange({ url: signed, method: 'GET', headers: sent, page, signal })
  }

  const ask = async (url: URL, page: number, signal: AbortSignal): Promise<RestAnswer> => {
    try {
      return await request(url, page, signal)
    } catch (error) {
      // a token may be withdrawn before its time; a new one that is refused as well is the answer
      const refused = error instanceof ConnectorError && error.code === 'SOURCE_UNAUTHORISED' && error.params['page'] === page
      if (!refused || !signer.renew()) throw error
      return request(url, page, signal)
    }
  }

  const get = async (url: URL, page: number, signal: AbortSignal): Promise<RestPage> =>
    readPage(await ask(url, page, signal), settings, page)

  return { transport, ask, get }
}

const GONE: ReadonlySet<unknown> = new Set([404, 410])

/** What an address of one person answers with; none where there is nobody. */
const askForOne = async (
  pages: Pages,
  settings: RestSettings,
  { value, signal }: { value: string; signal: AbortSignal },
): Promise<Record<string, unknown>[]> => {
  const { record, url } = settings
  const asked = record?.address(value)
  // an address that dots or slashes of an id have led elsewhere is nobody's
  if (!record || asked?.origin !== url.origin || value === '.' || value === '..') return []
  const place = { host: url.host, page: 1 }
  try {
    const answer = await pages.ask(asked, place.page, signal)
    if (answer.status === 204) return []
    const found = valueAt(readBody(answer, place), record.path)
    const records = Array.isArray(found) ? found : [found]
    if (records.every(isRecord)) return records
    throw pageProblem('SOURCE_RECORDS_ABSENT', place, { params: { path: record.pathText } })
  } catch (error) {
    if (error instanceof ConnectorError && GONE.has(error.params['status'])) return []
    throw error
  }
}

/** Of what came for a key the one that has it; a search may give others, or more than one. */
const readOneRecord = async (
  pages: Pages,
  settings: RestSettings,
  { column, value, signal }: RecordKey & { signal: AbortSignal },
): Promise<OneRecord | undefined> => {
  const came = (await askForOne(pages, settings, { value: value.trim(), signal })).map(flattenRecord)
  const [one, ...others] = came.filter((cells) => cells.get(column)?.trim() === value.trim())
  const named = came.length === 0 || came.some((cells) => cells.has(column))
  if (others.length > 0 || !named)
    throw pageProblem('SOURCE_RECORD_UNCLEAR', { host: settings.url.host, page: 1 }, { params: { column, count: came.length } })
  return one && { columns: [...one.keys()], cells: [...one.values()], modifiedAt: null }
}

const totalOf = (settings: RestSettings, page: RestPage): number | undefined => {
  const total = settings.totalPath ? Number(valueAt(page.body, settings.totalPath)) : Number.NaN
  return Number.isSafeInteger(total) && total >= 0 ? total : undefined
}

type Pages = ReturnType<typeof createPages>

/** Brings page after page to the spool; fewer records than the system counts is SOURCE_INCOMPLETE. */
const readAll = async (
  { pages, settings, request }: { pages: Pages; settings: RestSettings; request: FetchRequest },
  first: URL,
  take: (record: Record<string, unknown>) => Promise<void>,
): Promise<void> => {
  const before = pages.transport.received
  const pager = createPager(settings, settings.url.host)
  let url: URL | undefined = first
  let read = 0
  for (let count = 1; url; count += 1) {
    const page: RestPage = await pages.get(url, count, request.signal)
    if (pages.transport.received - before > request.limit) throw tooLarge(request.limit)
    for (const record of page.records) if (isRecord(record)) await take(record)
    read += page.records.length
    url = pager.next(url, page, count)
    const total = url ? undefined : totalOf(settings, page)
    if (total !== undefined && read < total)
      throw pageProblem('SOURCE_INCOMPLETE', { host: settings.url.host, page: count }, { params: { read, total }, retryable: true })
  }
}

const fetchRecords = async (pages: Pages, settings: RestSettings, request: FetchRequest): Promise<Fetched | undefined> => {
  const { changes, fingerprint } = settings
  const due = { settings: fingerprint, fullEveryDays: changes.fullEveryDays, now: request.now }
  const mark: ChangeMark | undefined = changes.parameter === '' ? undefined : changesFrom(request.watermark, due)
  const first = firstAddress(settings)
  if (mark) first.searchParams.set(changes.parameter, changedText(new Date(mark.since), changes.format))
  const spool = await createRecordSpool(request.path, request.limit, mark?.columns)
  try {
    await readAll({ pages, settings, request }, first, (record) => spool.add(flattenRecord(record)))
    if (spool.count === 0 && mark) return undefined
    if (spool.count === 0) throw new ConnectorError({ code: 'SOURCE_EMPTY', params: { host: settings.url.host } })
    request.signal.throwIfAborted()
    await spool.finish()
    const next: ChangeMark = {
      since: minutesBefore(request.now, changes.overlapMinutes).toISOString(),
      fullAt: mark?.fullAt ?? request.now.toISOString(),
      settings: fingerprint,
      columns: spool.columns,
    }
    return { name: `${settings.url.hostname}.csv`, extent: mark ? 'changes' : 'full', modifiedAt: null, watermark: markOf(next) }
  } finally {
    await spool.discard()
  }
}

/**
 * A source that reads pages of JSON. With a parameter for "changed since" only changes are asked for, from the time the last fetch began less an overlap,
 * and everybody again every few days. Throws SOURCE_SETTINGS_INVALID or SOURCE_ADDRESS_REFUSED at once.
 */
export const createRestSource = (stored: StoredSettings, options: RestOptions = {}): FetchingSource => {
  const settings = readRestSettings(stored)
  const pages = createPages(settings, options)
  return {
    test: async (signal) => {
      const page = await pages.get(firstAddress(settings), 1, signal)
      const size = totalOf(settings, page) ?? (settings.paging.kind === 'none' ? page.records.length : null)
      return { found: { name: settings.url.hostname, size, modifiedAt: null } }
    },
    fetch: (request) => fetchRecords(pages, settings, request),
    ...(settings.record && { readOne: (key, signal) => readOneRecord(pages, settings, { ...key, signal }) }),
    close: () => pages.transport.close(),
  }
}
