import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { PREPARED } from './prepared.ts'

const { db, close } = await testDatabase({ max: 1 })
afterAll(close)

const kept = async (): Promise<string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  return rows.map(({ statement }) => statement)
}

describe('a statement', () => {
  it('is not kept by its connection without the mark, whatever it holds', async () => {
    await sql`select ${'/* prepared */'}::text as given`.execute(db)
    expect(await kept()).toEqual([])
  })

  it('is parsed once with the mark and takes other values each time', async () => {
    const half = async (whole: number) => (await sql<{ half: number }>`${PREPARED} select ${whole}::integer / 2 as half`.execute(db)).rows
    expect(await half(8)).toEqual([{ half: 4 }])
    expect(await half(10)).toEqual([{ half: 5 }])
    expect(await kept()).toEqual(['/* prepared */ select $1::integer / 2 as half'])
  })

  it('that fails with the mark is tried afresh', async () => {
    const over = async (divisor: number) => (await sql<{ n: number }>`${PREPARED} select 6 / ${divisor}::integer as n`.execute(db)).rows
    await expect(over(0)).rejects.toThrow('division by zero')
    expect(await over(3)).toEqual([{ n: 2 }])
  })

  it('is prepared inside a transaction too, and outlives its end', async () => {
    const twice = sql<{ n: number }>`${PREPARED} select 2 * ${21}::integer as n`
    await expect(
      db.transaction().execute(async (tx) => {
        await twice.execute(tx)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect((await twice.execute(db)).rows).toEqual([{ n: 42 }])
  })
})
