import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RarePieces } from '../conditions/public.ts'
import { piecesOf, rarePieces } from './search-pieces.rules.ts'

/** So long a sample is believed; what is common among people changes slowly. */
const SAMPLE_MILLISECONDS = 10 * 60 * 1000
/** Fewer people say nothing about how common a piece is. */
const ENOUGH = 200

/** Share of sampled people, 0 to 1, by piece; undefined while there are too few of them. */
type Shares = ReadonlyMap<string, number> | undefined

/** The planner's own sample of what searches look at, which PostgreSQL renews with its statistics. */
const readShares = async (db: Db): Promise<Shares> => {
  const { rows } = await sql<{ sample: string[] | null }>`
    select histogram_bounds::text::text[] as sample from pg_stats
    where schemaname = current_schema() and tablename = 'users' and attname = 'search'`.execute(db)
  const sample = rows[0]?.sample ?? []
  if (sample.length < ENOUGH) return undefined
  const counts = new Map<string, number>()
  for (const text of sample) for (const piece of new Set(piecesOf(text))) counts.set(piece, (counts.get(piece) ?? 0) + 1)
  return new Map([...counts].map(([piece, count]) => [piece, count / sample.length]))
}

/**
 * Makes what tells the rare pieces of a text, by which the trigram index finds whoever has it sooner than by all of it; none where nothing of it is
 * known to be rare.
 */
export const createSearchPieces = ({ db, clock }: { db: Db; clock: Clock }): (() => Promise<RarePieces>) => {
  let known: { shares: Promise<Shares>; until: number } | undefined
  return async () => {
    const now = clock.now().getTime()
    if (!known || known.until < now) {
      const before = known
      known = { shares: readShares(db), until: now + SAMPLE_MILLISECONDS }
      // a sample that cannot be read only makes a search slower
      known.shares = known.shares.catch(() => before?.shares)
    }
    const shares = await known.shares
    return shares ? (text) => rarePieces(text, (piece) => shares.get(piece) ?? 0) : () => []
  }
}
