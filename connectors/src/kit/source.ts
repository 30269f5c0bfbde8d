/** What a source of records looks like to the sync: named columns and batches of rows of text. */

/** One record. `number` is the row a person sees in a spreadsheet, the header being row 1; blank rows are counted and not delivered. */
export interface SourceRow {
  readonly number: number
  /** As many as there are columns, untrimmed; a missing cell is ''. */
  readonly cells: readonly string[]
  /** Of the last record where the source ends without a line end: it may be whole, or lacks cells that the header names. */
  readonly ending?: 'unended' | 'cut'
}

export interface RecordSource {
  readonly header: readonly string[]
  /**
   * The records in order, in batches of about a thousand (fewer when the cells are large). Each call reads from the start.
   * Throws ConnectorError when the source breaks on the way, and the signal's reason when it is aborted.
   */
  rows(signal?: AbortSignal): AsyncIterable<SourceRow[]>
}
