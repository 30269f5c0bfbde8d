import type { RecordSource, SourceRow } from '@instep/connectors/kit/source.ts'
import { ENCODINGS } from '@instep/contract/sync.ts'
import { z } from 'zod'
import type { ResolvedMapping } from './resolve-mapping.ts'

/** How a source ends: its last line ended, or not, or lacking cells as well. */
const Ending = z.enum(['whole', 'unended', 'cut'])
export type Ending = z.infer<typeof Ending>

/** What a source looked like, as `runs.source_profile` keeps it for the next run to compare with. */
export const SourceProfile = z.object({
  records: z.number().int(),
  /** `ascii`: UTF-8 that holds plain letters only; null where the format has no choice. */
  encoding: z.enum([...ENCODINGS, 'ascii']).nullable(),
  header: z.array(z.string()),
  /** Cells that are not empty, by mapped column. */
  filled: z.record(z.string(), z.number().int()),
  ending: Ending,
  lastRow: z.number().int(),
})
export type SourceProfile = z.infer<typeof SourceProfile>

/** Share of a column's cells that are not empty, 0 to 1; undefined where it was not mapped or nothing was there. */
export const filledShare = ({ filled, records }: SourceProfile, column: string): number | undefined => {
  const count = filled[column]
  return count === undefined || records === 0 ? undefined : count / records
}

// what jsonb refuses
const UNSTORABLE = /[\0\p{Cs}]/gu

/** A text of a file as jsonb takes it. */
export const storable = (text: string): string => text.replace(UNSTORABLE, '\ufffd')

const SPACE = 32

export interface Profiler {
  /** Takes a record into account. */
  add(row: SourceRow): void
  /** What all the records came to. */
  profile(): SourceProfile
}

/** Makes what looks at a source while it is read: a few counters, whatever its length. */
export const createProfiler = (
  source: Pick<RecordSource, 'header'> & { readonly encoding: SourceProfile['encoding'] },
  { columns }: ResolvedMapping,
): Profiler => {
  const places = [...new Set(columns.flatMap((column) => column.places))].filter((place) => place >= 0)
  const filled = places.map(() => 0)
  let records = 0
  let lastRow = 1
  let ending: Ending = 'whole'
  return {
    add: (row) => {
      records += 1
      lastRow = row.number
      if (row.ending) ending = row.ending
      for (let index = 0; index < places.length; index += 1) {
        const cell = row.cells[places[index] ?? 0] ?? ''
        if (cell !== '' && (cell.charCodeAt(0) > SPACE || cell.trim() !== '')) filled[index] = (filled[index] ?? 0) + 1
      }
    },
    profile: () => ({
      records,
      encoding: source.encoding,
      header: source.header.map(storable),
      filled: Object.fromEntries(places.map((place, index) => [storable(source.header[place] ?? ''), filled[index] ?? 0])),
      ending,
      lastRow,
    }),
  }
}
