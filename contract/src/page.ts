/** Keyset pages: `{ data, continuationToken }` (decisions.md section 2). */
import { z } from 'zod'
import { upTo } from './line-of-text.ts'

/** Page sizes a list offers; the first is the default. */
export const PAGE_SIZES = [10, 25, 50, 100, 250] as const

/** A page of `item`; `continuationToken` is null on the last one. */
export const page = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), continuationToken: z.string().nullable() })

/** Longest text that lists are searched by. */
export const LONGEST_SEARCH = 200
export const SearchText = upTo(LONGEST_SEARCH, z.string().trim())

/** Query members every paged list takes. */
export const pageQuery = {
  continuationToken: z.string().max(2000).optional(),
  pageSize: z.coerce.number().int().min(1).max(250).default(10),
}

/** A boolean in a query: `true` or `false`, default false. */
export const queryBoolean = z
  .enum(['true', 'false', ''])
  .default('false')
  // a flag that stands alone (`?effective`) is set
  .transform((value) => value !== 'false')

/** A count that may be estimated: exact up to 10,000, then quickly estimated and said so. */
export const Count = z.object({ value: z.number().int().nonnegative(), exact: z.boolean() })
export type Count = z.infer<typeof Count>

/** An id; written in capitals it is the same one, and is kept as the database writes it. */
export const Id = z.uuid().toLowerCase()
/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso.datetime()
/** A date without time, `YYYY-MM-DD`; there is no year 0. */
export const PlainDate = z.iso.date().refine((day) => !day.startsWith('0000'))
