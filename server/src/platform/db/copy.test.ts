import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { copyInto, encodeRow } from './copy.ts'

const { pool, close } = await testDatabase()
const client = await pool.connect()
await client.query(`create temporary table pairs (id int primary key, body text);
  create temporary table "Odd names" (id int, "select" text);
  create temporary table kinds (a boolean, b jsonb, c text[], d bytea, e timestamptz, f float8, g bigint)`)
afterAll(async () => {
  client.release()
  await close()
})
beforeEach(() => client.query('truncate pairs'))

const count = async () => (await client.query('select count(*) from pairs')).rows[0].count
const copyAll = (rows: unknown[][]) => pipeline(Readable.from(rows), copyInto(client, 'pairs', ['id', 'body']))

describe('copyInto', () => {
  it('refuses U+0000, names row and column, and leaves nothing', async () => {
    const rows = [
      [1, 'fine'],
      [2, 'al\0so'],
      [3, 'fine'],
    ]
    await expect(copyAll(rows)).rejects.toThrow('Row 2, column body: holds U+0000, which PostgreSQL cannot store')
    expect(await count()).toBe(0)
  })

  it('refuses half a surrogate pair instead of replacing it', async () => {
    await expect(copyAll([[1, 'x\ud800']])).rejects.toThrow('Row 1, column body: holds half of a surrogate pair')
  })

  it('refuses a row of another length', () => {
    expect(() => encodeRow([1], ['id', 'body'], 7)).toThrow('Row 7 has 1 values for 2 columns')
  })

  it('reports what the database refuses, early or at the last row, and the client stays usable', async () => {
    await expect(copyAll([['x', 'no number'], ...Array.from({ length: 50_000 }, (_, id) => [id, 'later'])])).rejects.toThrow(
      'invalid input syntax',
    )
    expect(await count()).toBe(0)
    await expect(
      copyAll([
        [1, 'one'],
        [1, 'again'],
      ]),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await count()).toBe(0)
    await expect(pipeline(Readable.from([[1]]), copyInto(client, 'absent', ['id']))).rejects.toMatchObject({ code: '42P01' })
    expect(await count()).toBe(0)
  })

  it('leaves nothing when it is destroyed half way', async () => {
    const copy = copyInto(client, 'pairs', ['id', 'body'])
    for (let id = 0; id < 20_000; id++) copy.write([id, 'some text'])
    copy.destroy()
    await once(copy, 'close')
    expect(await count()).toBe(0)
  })

  it('takes no row at all', async () => {
    await copyAll([])
    expect(await count()).toBe(0)
  })

  it('holds back a writer that is faster than the database', () => {
    const copy = copyInto(client, 'pairs', ['id', 'body'])
    let taken = 0
    while (copy.write([taken, 'x'.repeat(100)])) taken++
    expect(taken).toBeLessThan(5_000)
    copy.destroy()
    return once(copy, 'close')
  })

  it('brings back every text code point for code point', async () => {
    const text = fc.string({ unit: 'grapheme' }).map((s) => s.replaceAll('\0', ''))
    const nasty = fc.string({ unit: fc.constantFrom('\\', '\n', '\r', '\t', 'N', '.', '"', "'", ',', '{', '}', 'é', '日', '😀', ' ') })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, nasty, fc.constant(null), fc.constant('\\N'), fc.constant('\\.')), { maxLength: 30 }),
        async (bodies) => {
          await client.query('truncate pairs')
          await copyAll(bodies.map((body, id) => [id, body]))
          const { rows } = await client.query('select body from pairs order by id')
          expect(rows.map((row) => row.body)).toEqual(bodies)
        },
      ),
      { numRuns: 60, seed: 7 },
    )
  })

  it('brings back rows larger than a chunk', async () => {
    const body = 'é\t\\'.repeat(700_000)
    await copyAll([
      [1, body],
      [2, 'small'],
      [3, body],
    ])
    const { rows } = await client.query('select body from pairs where id in (1, 3)')
    expect(rows.every((row) => row.body === body)).toBe(true)
  })

  it('writes booleans, JSON, arrays, bytes, times and numbers as their column reads them', async () => {
    const at = new Date('2024-02-29T10:11:12.345Z')
    const tags = ['a,b', 'NULL', '', '"q"\\', null, 'tab\there', '{}']
    const row = [true, { note: 'line\nend \\ "quoted"' }, tags, Buffer.from([0, 92, 255]), at, 1.5e-7, 9_007_199_254_740_991n]
    await pipeline(Readable.from([row, row.map(() => null)]), copyInto(client, 'kinds', ['a', 'b', 'c', 'd', 'e', 'f', 'g']))
    const { rows } = await client.query({ text: 'select * from kinds', rowMode: 'array' })
    expect(rows).toEqual([[...row.slice(0, 6), 9_007_199_254_740_991], row.map(() => null)])
  })

  it('quotes the names of tables, schemas and columns', async () => {
    await pipeline(Readable.from([[1, 2]]), copyInto(client, 'pg_temp.kinds', ['f', 'g']))
    await pipeline(Readable.from([[1, 'x']]), copyInto(client, 'Odd names', ['id', 'select']))
    expect((await client.query('select "select" as word from "Odd names"')).rows).toEqual([{ word: 'x' }])
    await expect(pipeline(Readable.from([['x']]), copyInto(client, 'pairs"; drop table pairs; --', ['body']))).rejects.toMatchObject({
      code: '42P01',
    })
    expect(await count()).toBe(0)
  })
})
