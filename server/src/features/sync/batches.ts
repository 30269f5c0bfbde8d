import type pg from 'pg'

const BATCH = 500

/** Rows of a query in batches, through a cursor of the client's transaction, so that memory does not grow with the file. */
export async function* batches<Row extends unknown[]>(client: pg.ClientBase, name: string, text: string): AsyncGenerator<Row[]> {
  await client.query(`declare ${name} no scroll cursor for ${text}`)
  for (;;) {
    const { rows } = await client.query<Row>({ text: `fetch ${BATCH} from ${name}`, rowMode: 'array' })
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) break
  }
  await client.query(`close ${name}`)
}
