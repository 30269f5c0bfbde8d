import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

const MARK = '/* prepared */'

/**
 * Stands in front of a statement that every connection parses once and keeps (PostgreSQL, "PREPARE"): one that is asked all the time and whose
 * text has few shapes. Values stay parameters. A connection keeps what it prepared as long as it lives, so texts made of what somebody typed
 * must not carry it.
 */
export const PREPARED = sql.raw(MARK)

/**
 * Values for `= any(…)` in such a statement, behind a subquery that the planner does not look into: one plan serves all values then (PostgreSQL,
 * "plan_cache_mode"). Seen, they would be planned for anew at every call while few of them promise to cost less than many.
 * @param type of one value
 */
export const anyOf = (values: readonly unknown[], type: 'uuid' | 'smallint'): RawBuilder<unknown> => {
  const array = sql.raw(`${type}[]`)
  return sql`any((select ${values}::${array})::${array})`
}

type Query = (text: unknown, ...others: unknown[]) => unknown

const names = new Map<string, string>()

/** A name for a text, the same at every connection and process: PostgreSQL cuts names after 63 bytes. */
const nameOf = (text: string): string => {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32)
    names.set(text, name)
  }
  return name
}

/** Makes a connection send marked statements under a name. */
export const prepareMarked = (client: pg.ClientBase): void => {
  const query = client.query.bind(client) as Query
  const named: Query = (text, values, ...others) =>
    typeof text === 'string' && text.startsWith(MARK)
      ? query({ name: nameOf(text), text, values }, ...others)
      : query(text, values, ...others)
  client.query = named as typeof client.query
}
