/**
 * What a source that is fetched (rather than uploaded) looks like to the sync. Whatever the outside system is, it leaves a file of records on this
 * machine, which is then read, mapped and compared like an uploaded one: a crash reads it again, and what a run saw can be looked at later.
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** What a fetch brought. */
export interface Fetched {
  /** Its name for people: a file name with extension; says the format (`.csv`, `.xlsx`). */
  readonly name: string
  /** Whether the file names everybody, so that whoever is missing has left, or only what changed since the watermark. */
  readonly extent: 'full' | 'changes'
  /** When the outside system says that the data was made. */
  readonly modifiedAt: Date | null
  /** Handed to the next fetch once this run was applied. */
  readonly watermark: JsonValue
}

export interface FetchRequest {
  /** Where the file is to be written; it does not exist yet. */
  readonly path: string
  /** Of the last fetch whose run was applied; null asks for everything. */
  readonly watermark: JsonValue
  /** Refuse (FILE_TOO_LARGE) what is larger, in bytes. */
  readonly limit: number
  readonly now: Date
  readonly signal: AbortSignal
}

/** What "test connection" found; throws ConnectorError where it cannot connect. */
export interface SourceTest {
  /** What it would fetch: a file's name, or how many records are there; null where that cannot be told without reading everything. */
  readonly found: { readonly name: string; readonly size: number | null; readonly modifiedAt: Date | null } | null
  /** The fingerprint of the server's key, where the way there has one: to be shown, and kept for the fetches. */
  readonly hostKey?: string
}

/** What names one record at the outside system: the column that holds the external id, and the cell as it was last read. */
export interface RecordKey {
  readonly column: string
  readonly value: string
}

/** One record as it is at the outside system now. */
export interface OneRecord {
  /** Named as a fetch names them; columns that only other records have may be missing. */
  readonly columns: readonly string[]
  readonly cells: readonly string[]
  /** When the outside system says that the record was made or sent. */
  readonly modifiedAt: Date | null
}

export interface FetchingSource {
  test(signal: AbortSignal): Promise<SourceTest>
  /** Fetches the records. Undefined: there is nothing new since the watermark. Throws ConnectorError, and the signal's reason when aborted. */
  fetch(request: FetchRequest): Promise<Fetched | undefined>
  /**
   * Reads one record; undefined: there is none of this key. Absent where the outside system cannot be asked for one. Throws ConnectorError, also where it is
   * not clear which record is meant (SOURCE_RECORD_UNCLEAR), and the signal's reason when aborted.
   */
  readOne?(key: RecordKey, signal: AbortSignal): Promise<OneRecord | undefined>
  /** Puts what was fetched aside at the source (archives a file), after its run was applied. Absent where there is nothing to do. */
  settle?(fetched: { readonly watermark: JsonValue }, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
