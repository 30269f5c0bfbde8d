import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../../platform/db/database.ts'

/**
 * The typed query builder on one connection whose transaction the caller has opened and will end, so that what COPY wrote and what is said
 * about it are committed together.
 */
export const onClient = (client: pg.ClientBase): Tx => {
  const connection = { query: client.query.bind(client), release: () => undefined }
  const pool = { connect: async () => connection, end: async () => undefined } as unknown as pg.Pool
  return new Kysely({ dialect: new PostgresDialect({ pool }) }) as unknown as Tx
}
