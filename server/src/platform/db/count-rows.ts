import type { Count } from '@instep/contract/page.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Counts are exact up to here (decisions.md section 9). */
export const EXACT_UP_TO = 10_000

/** How many rows a select finds: counted up to 10,000, beyond that estimated quickly by the planner, and said so. */
export const countRows = async (db: Db, select: RawBuilder<unknown>): Promise<Count> => {
  const counted = await sql<{ count: number }>`select count(*) as count from (${select} limit ${EXACT_UP_TO + 1}) found`.execute(db)
  const count = counted.rows[0]?.count ?? 0
  return count <= EXACT_UP_TO ? { value: count, exact: true } : estimateRows(db, select)
}

/** How many rows a select finds that finds more than can be counted quickly, as the planner thinks. */
const estimateRows = async (db: Db, select: RawBuilder<unknown>): Promise<Count> => {
  const plan = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`explain (format json) ${select}`.execute(db)
  const estimated = plan.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  return { value: Math.max(Math.round(estimated), EXACT_UP_TO + 1), exact: false }
}
