import { AndFilter, EqualityFilter, type Filter, GreaterThanEqualsFilter, PresenceFilter, type SearchEntry } from 'ldapts'
import { type ChangeMark, changesFrom, markOf, minutesBefore } from '../kit/change-window.ts'
import { tooLarge } from '../kit/csv-writer.ts'
import type { Fetched, FetchingSource, FetchRequest, OneRecord, RecordKey } from '../kit/fetching-source.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { StoredSettings } from '../kit/read-settings.ts'
import { createRecordSpool, type RecordSpool } from '../kit/record-spool.ts'
import { type AddressPolicy, assertHostAllowed } from '../kit/source-address.ts'
import { invalidSetting } from '../kit/source-failure.ts'
import { type LdapSettings, readLdapSettings } from './ldap-settings.ts'
import { attributeText, enabledText, filterValue, generalizedTimeText, toGeneralizedTime } from './ldap-values.ts'
import { connectLdap, type LdapPage, type LdapWire } from './ldap-wire.ts'
import { createManagerLookup } from './manager-lookup.ts'

export interface LdapOptions extends Partial<AddressPolicy> {
  /** Connecting, and the longest silence of the directory. Default 60,000. */
  readonly timeoutMs?: number | undefined
  /** Largest page in bytes. Default 64 MiB. */
  readonly pageLimit?: number | undefined
}

const TIMEOUT_MS = 60_000
const PAGE_LIMIT = 64 * 1024 * 1024
/** A directory may give empty pages while it searches; this many in a row are no search any more. */
const MOST_EMPTY_PAGES = 1000

const everything = new PresenceFilter({ attribute: 'objectClass' })
const nowhere: Buffer = Buffer.alloc(0)

/** Values by attribute, lower case; `;range=` (Active Directory cuts long lists) and `;binary` belong to the attribute, other options do not. */
const valuesOf = (entry: SearchEntry): Map<string, readonly Buffer[]> => {
  const values = new Map<string, readonly Buffer[]>()
  for (const attribute of entry.attributes) {
    const [name = '', ...options] = attribute.type.toLowerCase().split(';')
    const own = options.every((option) => option === 'binary' || option.startsWith('range='))
    if (own && attribute.parsedBuffers.length > 0) values.set(name, attribute.parsedBuffers)
  }
  return values
}

const ENABLED = 'enabled'
const has = (names: readonly string[], name: string): boolean => names.some((one) => one.toLowerCase() === name)

/** The columns of the file: always the same for the same settings. */
const columnsOf = ({ attributes, managerAttribute }: LdapSettings): string[] => [
  'dn',
  ...attributes,
  ...(has(attributes, 'useraccountcontrol') && !has(attributes, ENABLED) ? [ENABLED] : []),
  ...(managerAttribute && has(attributes, 'manager') ? [`manager.${managerAttribute}`] : []),
]

const cellsOf = (entry: SearchEntry, columns: readonly string[]): Map<string, string> => {
  const values = valuesOf(entry)
  const cells = new Map<string, string>([['dn', entry.name]])
  const derives = columns.includes(ENABLED) && has(columns, 'useraccountcontrol')
  for (const name of columns) {
    const found = values.get(name.toLowerCase())
    if (found && name !== 'dn') cells.set(name, attributeText(name, found))
    else if (name === ENABLED && derives) cells.set(name, enabledText(attributeText('', values.get('useraccountcontrol') ?? [])))
  }
  return cells
}

/** What the directory says of itself (RFC 4512 section 5.1), as far as it may be read. */
const readRoot = async (wire: LdapWire): Promise<ReadonlyMap<string, readonly Buffer[]>> => {
  const attributes = ['currentTime', 'highestCommittedUSN', 'dsServiceName']
  try {
    const { entries } = await wire.search({ base: '', scope: 'base', filter: everything, attributes })
    return entries[0] ? valuesOf(entries[0]) : new Map()
  } catch (error) {
    if (error instanceof ConnectorError && error.params['status'] !== undefined) return new Map()
    throw error
  }
}

/**
 * Where the next fetch begins. Numbers (uSNChanged) are counted by each domain controller for itself and are exact; times are less an overlap, by the
 * directory's clock where it tells it.
 */
const nextSince = async (wire: LdapWire, { changes }: LdapSettings, now: Date): Promise<string> => {
  if (changes.attribute === 'none') return now.toISOString()
  const root = await readRoot(wire)
  const textOf = (name: string) => attributeText('', root.get(name) ?? [])
  if (changes.attribute === 'uSNChanged') {
    const number = textOf('highestcommittedusn')
    if (!/^\d+$/.test(number)) throw invalidSetting('changeAttribute')
    return `${number}@${textOf('dsservicename')}`
  }
  const told = Date.parse(generalizedTimeText(textOf('currenttime')))
  return minutesBefore(Number.isNaN(told) ? now : new Date(told), changes.overlapMinutes).toISOString()
}

/** The filter for what changed; undefined where the mark is of another domain controller, or of one that was set back. */
const changeFilter = ({ changes, filter }: LdapSettings, mark: ChangeMark, since: string): Filter | undefined => {
  const { attribute } = changes
  const at = (value: string) => new AndFilter({ filters: [filter, new GreaterThanEqualsFilter({ attribute, value })] })
  if (attribute === 'uSNChanged') {
    const [before = '', controller] = mark.since.split('@', 2)
    const [number = '', sameController] = since.split('@', 2)
    if (controller !== sameController || BigInt(before) > BigInt(number)) return undefined
    return at(String(BigInt(before) + 1n))
  }
  const instant = new Date(mark.since)
  if (attribute === 'entryCSN') return at(`${toGeneralizedTime(instant, '.000000Z')}#000000#000#000000`)
  return at(toGeneralizedTime(instant, attribute === 'whenChanged' ? '.0Z' : 'Z'))
}

/** Every page of a search; SOURCE_LOOP where the directory gives the same page again. */
async function* pagesOf(wire: LdapWire, settings: LdapSettings, filter: Filter): AsyncGenerator<LdapPage> {
  const { baseDn: base, scope, attributes, pageSize: size, host } = settings
  let cookie: Buffer = nowhere
  let before = ''
  let empty = 0
  for (let count = 1; ; count += 1) {
    const page = await wire.search({ base, scope, filter, attributes, page: { size, cookie } })
    const mark = `${page.cookie.toString('hex')} ${page.entries[0]?.name ?? ''}`
    empty = page.entries.length === 0 ? empty + 1 : 0
    if (empty > MOST_EMPTY_PAGES || (page.entries.length > 0 && mark === before))
      throw new ConnectorError({ code: 'SOURCE_LOOP', params: { host, page: count } })
    before = mark
    yield page
    if (page.cookie.length === 0) return
    cookie = page.cookie
  }
}

interface Reading {
  readonly wire: LdapWire
  readonly settings: LdapSettings
  readonly request: FetchRequest
}

const readAll = async ({ wire, settings, request }: Reading, filter: Filter, spool: RecordSpool): Promise<void> => {
  const columns = columnsOf(settings)
  const before = wire.received
  try {
    for await (const page of pagesOf(wire, settings, filter)) {
      if (wire.received - before > request.limit) throw tooLarge(request.limit)
      for (const entry of page.entries) await spool.add(cellsOf(entry, columns))
    }
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code !== 'SOURCE_SIZE_LIMIT') throw error
    throw new ConnectorError({ code: error.code, params: { ...error.params, read: spool.count }, detail: error.detail })
  }
}

const fetchEntries = async ({ wire, settings, request }: Reading): Promise<Fetched | undefined> => {
  const { changes, fingerprint, managerAttribute } = settings
  const since = await nextSince(wire, settings, request.now)
  const due = { settings: fingerprint, fullEveryDays: changes.fullEveryDays, now: request.now }
  const mark = changes.attribute === 'none' ? undefined : changesFrom(request.watermark, due)
  const narrowed = mark ? changeFilter(settings, mark, since) : undefined
  const columns = columnsOf(settings)
  const spool = await createRecordSpool(request.path, request.limit, columns)
  try {
    await readAll({ wire, settings, request }, narrowed ?? settings.filter, spool)
    if (spool.count === 0 && narrowed) return undefined
    if (spool.count === 0) throw new ConnectorError({ code: 'SOURCE_EMPTY', params: { host: settings.host } })
    const manager = managerAttribute ? createManagerLookup(wire, { columns, attribute: managerAttribute }) : undefined
    await spool.finish(manager)
    request.signal.throwIfAborted()
    const fullAt = mark && narrowed ? mark.fullAt : request.now.toISOString()
    return {
      name: `${settings.host}.csv`,
      extent: narrowed ? 'changes' : 'full',
      modifiedAt: null,
      watermark: markOf({ since, fullAt, settings: fingerprint, columns }),
    }
  } finally {
    await spool.discard()
  }
}

/** The entries whose attribute has a value, two at most; what is in no column of the fetch cannot be asked for. */
const findEntries = async (wire: LdapWire, settings: LdapSettings, { column, value }: RecordKey): Promise<SearchEntry[]> => {
  if (!has(settings.attributes, column.toLowerCase())) return []
  const own = new EqualityFilter({ attribute: column, value: filterValue(column, value.trim()) })
  const found: SearchEntry[] = []
  for await (const { entries } of pagesOf(wire, settings, new AndFilter({ filters: [settings.filter, own] }))) {
    found.push(...entries)
    if (found.length > 1) break
  }
  return found
}

const readOneEntry = async (wire: LdapWire, settings: LdapSettings, key: RecordKey): Promise<OneRecord | undefined> => {
  const { host, managerAttribute } = settings
  const [entry, ...others] = await findEntries(wire, settings, key)
  if (others.length > 0 || !has(settings.attributes, key.column.toLowerCase()))
    throw new ConnectorError({ code: 'SOURCE_RECORD_UNCLEAR', params: { host, column: key.column, count: others.length && 2 } })
  if (!entry) return undefined
  const columns = columnsOf(settings)
  const cells = cellsOf(entry, columns)
  const row = columns.map((name) => cells.get(name) ?? '')
  if (managerAttribute) await createManagerLookup(wire, { columns, attribute: managerAttribute })([row])
  return { columns, cells: row, modifiedAt: null }
}

/**
 * A source that reads a directory over LDAP (v3, simple bind, paged results). With an attribute to find changes by, only those are asked for, and
 * everybody again every few days. Throws SOURCE_SETTINGS_INVALID or SOURCE_ADDRESS_REFUSED at once.
 */
export const createLdapSource = (
  stored: StoredSettings,
  { allowPrivate = false, timeoutMs = TIMEOUT_MS, pageLimit = PAGE_LIMIT }: LdapOptions = {},
): FetchingSource => {
  const settings = readLdapSettings(stored)
  assertHostAllowed(settings.host, { allowPrivate })
  const open = new Set<LdapWire>()

  const connected = async <T>(signal: AbortSignal, use: (wire: LdapWire) => Promise<T>): Promise<T> => {
    const wire = await connectLdap(settings, { allowPrivate, timeoutMs, answerBytes: pageLimit, signal })
    open.add(wire)
    try {
      await wire.bind()
      return await use(wire)
    } finally {
      wire.close()
      open.delete(wire)
    }
  }

  return {
    test: (signal) =>
      connected(signal, async (wire) => {
        const { baseDn: base, scope, filter, host } = settings
        let page = { size: 1, cookie: nowhere }
        for (;;) {
          const { entries, cookie } = await wire.search({ base, scope, filter, attributes: ['1.1'], page })
          if (entries.length > 0) return { found: { name: base, size: null, modifiedAt: null } }
          if (cookie.length === 0) throw new ConnectorError({ code: 'SOURCE_EMPTY', params: { host } })
          page = { size: 1, cookie }
        }
      }),
    readOne: (key, signal) => connected(signal, (wire) => readOneEntry(wire, settings, key)),
    fetch: (request) => connected(request.signal, (wire) => fetchEntries({ wire, settings, request })),
    close: async () => {
      for (const wire of open) wire.close()
    },
  }
}
