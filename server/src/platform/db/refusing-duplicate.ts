import type { ProblemCode } from '@instep/contract/problem.ts'
import pg from 'pg'
import { type Problem, problem } from '../http/problem.ts'

/** By name of the constraint: the problem that its violation is. */
export type Refusals = Readonly<Record<string, ProblemCode | Problem>>

/** Writes, and tells a violated constraint as a problem: the database refuses, nobody reads first. */
export const refusingDuplicate = async <T>(refusals: Refusals, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    const refusal = error instanceof pg.DatabaseError ? refusals[error.constraint ?? ''] : undefined
    if (refusal === undefined) throw error
    throw typeof refusal === 'string' ? problem(refusal) : refusal
  }
}
