import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { type PeopleFilter, peopleConditions } from './users.filter.ts'
import { orderOf, type UserSort } from './users.sorts.ts'

export interface EveryPersonQuery {
  readonly filter: PeopleFilter
  readonly sort: UserSort
  /** What is read of each of them, of `users as u`. */
  readonly columns: RawBuilder<unknown>
  /** People of one batch. */
  readonly batch: number
}

/**
 * Everybody of a list, batch by batch in its order. The ids are sorted once and walked by a cursor; people are read as they are reached, so that
 * a million cost one look at each, whatever the filter. All of it is one moment's view where the transaction is a repeatable read.
 */
export async function* everyPerson<Row>(tx: Tx, { filter, sort, columns, batch }: EveryPersonQuery): AsyncGenerator<Row[]> {
  // a cursor is planned for its first rows unless told that all are wanted
  await sql`set local cursor_tuple_fraction = 1`.execute(tx)
  await sql`
    declare everybody no scroll cursor for
    select u.id from users u where ${sql.join(peopleConditions(filter), sql` and `)} order by ${orderOf(sort).orderBy}`.execute(tx)
  for (;;) {
    const { rows: found } = await sql<{ id: string }>`fetch ${sql.raw(String(batch))} from everybody`.execute(tx)
    if (found.length === 0) break
    const { rows } = await sql<Row>`
      select ${columns} from unnest(${found.map(({ id }) => id)}::uuid[]) with ordinality f (id, place)
      join users u on u.tenant_id = ${filter.tenantId} and u.id = f.id
      order by f.place`.execute(tx)
    yield rows
    if (found.length < batch) break
  }
  await sql`close everybody`.execute(tx)
}
