/** What a connector reports when it cannot go on: a closed list of codes with typed data; `detail` is for the log and the technical line. */

/** A file that cannot be read; the codes are the contract's, so that a route can answer with them as they are. */
export type FileCode =
  | 'FILE_EMPTY'
  | 'FILE_TOO_LARGE'
  | 'FILE_NOT_TABULAR'
  | 'FILE_DUPLICATE_HEADER'
  | 'FILE_HEADER_BLANK'
  | 'FILE_CELL_TOO_LARGE'
  | 'FILE_ROW_TOO_LONG'
  | 'FILE_QUOTE_OPEN'
  | 'FILE_XLSX_TOO_LARGE'
  | 'FILE_XLSX_BROKEN'
  | 'FILE_ENCODING_UNKNOWN'
  | 'FILE_TOO_LARGE'

/**
 * What an outside system answered, as far as it matters for what to do next.
 * - `TARGET_EXISTS` an account with this key is there already: look it up, adopt or report it
 * - `TARGET_GONE` the account of this remote id is no longer there
 * - `TARGET_UNCERTAIN` a write may or may not have happened: look up before trying again
 * - `TARGET_AMBIGUOUS` more than one account has the key
 * - `TARGET_REFUSED` the target understood and said no to this person's data
 * - `TARGET_UNAUTHORISED`, `TARGET_FORBIDDEN` the token is not accepted, or may not do this
 * - `TARGET_THROTTLED`, `TARGET_UNAVAILABLE` later, see `retryAfterSeconds`
 * - `TARGET_UNREACHABLE` no connection was made, nothing was sent (`params.reason`: dns, refused, tls, timeout, network)
 * - `TARGET_UNEXPECTED` a read was not answered in the target's protocol (`params.reason`)
 * - `TARGET_ADDRESS_REFUSED`, `TARGET_SETTINGS_INVALID` the connector's own settings cannot be used (`params.property`)
 * - `TARGET_UNSUPPORTED` the target has no such call at all
 * - `TARGET_WAITS` a person was asked to do it and has not yet: nothing failed, and asking again brings nothing
 * - `TARGET_ABORTED` the caller's signal ended the request; a write may have happened
 */
export type TargetCode =
  | 'TARGET_EXISTS'
  | 'TARGET_GONE'
  | 'TARGET_UNCERTAIN'
  | 'TARGET_AMBIGUOUS'
  | 'TARGET_REFUSED'
  | 'TARGET_UNAUTHORISED'
  | 'TARGET_FORBIDDEN'
  | 'TARGET_THROTTLED'
  | 'TARGET_UNAVAILABLE'
  | 'TARGET_UNREACHABLE'
  | 'TARGET_UNEXPECTED'
  | 'TARGET_ADDRESS_REFUSED'
  | 'TARGET_SETTINGS_INVALID'
  | 'TARGET_UNSUPPORTED'
  | 'TARGET_WAITS'
  | 'TARGET_ABORTED'

/**
 * Why nothing was fetched from a source; the codes are the contract's, with words of their own.
 * - `SOURCE_SETTINGS_INVALID`, `SOURCE_ADDRESS_REFUSED` the settings cannot be used, or the address may not be asked from here (`params.property`, `params.host`)
 * - `SOURCE_HOST_UNKNOWN`, `SOURCE_CONNECTION_REFUSED`, `SOURCE_TIMEOUT`, `SOURCE_CERTIFICATE`, `SOURCE_NETWORK` no connection, or it broke (`params.host`)
 * - `SOURCE_UNREACHABLE` no connection was made (`params.reason`: dns, refused, tls, timeout, network)
 * - `SOURCE_UNAUTHORISED`, `SOURCE_FORBIDDEN`, `SOURCE_THROTTLED`, `SOURCE_UNAVAILABLE`, `SOURCE_REFUSED`, `SOURCE_UNEXPECTED` what it answered instead
 * - `SOURCE_FOLDER_OFF`, `SOURCE_FOLDER_REFUSED`, `SOURCE_FOLDER_MISSING` folders are not allowed, not this one, or it is not there (`params.folder`)
 * - `SOURCE_HOST_KEY_UNKNOWN`, `SOURCE_HOST_KEY_CHANGED` the server's key was never looked at, or is another one (`params.expected`, `params.found`)
 * - `SOURCE_CUT` the connection ended before everything was there; `SOURCE_GROWING` the file was still being written
 * - `SOURCE_MANIFEST_WRONG` the manifest says something else than the file (`params.reason`: sha256, rows, unreadable)
 * - `SOURCE_EMPTY` not one record, where everybody was asked for
 * - `SOURCE_RECORD_UNCLEAR` one record was asked for, and what came is not one of this key (`params.column`, `params.count`)
 * - the others say what of the answer cannot be read; `params.page` counts from 1
 */
export type SourceCode =
  | 'SOURCE_SETTINGS_INVALID'
  | 'SOURCE_ADDRESS_REFUSED'
  | 'SOURCE_HOST_UNKNOWN'
  | 'SOURCE_CONNECTION_REFUSED'
  | 'SOURCE_TIMEOUT'
  | 'SOURCE_CERTIFICATE'
  | 'SOURCE_NETWORK'
  | 'SOURCE_CUT'
  | 'SOURCE_UNAUTHORISED'
  | 'SOURCE_FORBIDDEN'
  | 'SOURCE_THROTTLED'
  | 'SOURCE_UNAVAILABLE'
  | 'SOURCE_REFUSED'
  | 'SOURCE_EMPTY'
  | 'SOURCE_RECORD_UNCLEAR'
  | 'SOURCE_COLUMNS_TOO_MANY'
  | 'SOURCE_PAGE_TOO_LARGE'
  | 'SOURCE_REDIRECTED'
  | 'SOURCE_WEB_PAGE'
  | 'SOURCE_NOT_JSON'
  | 'SOURCE_RECORDS_ABSENT'
  | 'SOURCE_NEXT_FOREIGN'
  | 'SOURCE_LOOP'
  | 'SOURCE_PAGES_TOO_MANY'
  | 'SOURCE_INCOMPLETE'
  | 'SOURCE_NOT_LDAP'
  | 'SOURCE_STARTTLS_ABSENT'
  | 'SOURCE_PAGING_ABSENT'
  | 'SOURCE_BASE_UNKNOWN'
  | 'SOURCE_FILTER_INVALID'
  | 'SOURCE_SIZE_LIMIT'
  | 'SOURCE_REFERRAL'
  | 'SOURCE_FOLDER_OFF'
  | 'SOURCE_FOLDER_REFUSED'
  | 'SOURCE_FOLDER_MISSING'
  | 'SOURCE_UNREACHABLE'
  | 'SOURCE_HOST_KEY_UNKNOWN'
  | 'SOURCE_HOST_KEY_CHANGED'
  | 'SOURCE_UNEXPECTED'
  | 'SOURCE_GROWING'
  | 'SOURCE_MANIFEST_WRONG'

export type ConnectorCode = FileCode | TargetCode | SourceCode
export type ConnectorParams = Readonly<Record<string, string | number>>

export interface ConnectorProblem {
  readonly code: ConnectorCode
  /** Figures and names for the sentence that a person reads. */
  readonly params?: ConnectorParams
  /** Whether the same request may succeed later. Default false. */
  readonly retryable?: boolean
  /** The outside system's own wish, in seconds from now. */
  readonly retryAfterSeconds?: number
  /** One technical line in English, without secrets. */
  readonly detail?: string
  readonly cause?: unknown
}

/** The only error that connectors throw on purpose; anything else is a bug (or the reason of an aborted signal). */
export class ConnectorError extends Error {
  readonly code: ConnectorCode
  readonly params: ConnectorParams
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined
  readonly detail: string

  constructor(problem: ConnectorProblem) {
    super(problem.detail ? `${problem.code}: ${problem.detail}` : problem.code, { cause: problem.cause })
    this.name = 'ConnectorError'
    this.code = problem.code
    this.params = problem.params ?? {}
    this.retryable = problem.retryable ?? false
    this.retryAfterSeconds = problem.retryAfterSeconds
    this.detail = problem.detail ?? problem.code
  }
}
