import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from '../ids.ts'

/** For rows made by one statement: a fresh UUIDv7 of the moment whose last four bytes are the row's number, so that ids keep the rows' order. */
export const numberedId = (at: Date, number: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`encode(overlay(uuid_send(${uuidv7(at.getTime())}::uuid) placing int4send((${number})::integer) from 13 for 4), 'hex')::uuid`
