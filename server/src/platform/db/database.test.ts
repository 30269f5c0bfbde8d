import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { openDatabase } from './database.ts'

const { db, pool, poolConfig, close } = await testDatabase()
afterAll(close)

const value = async (expression: string) => (await pool.query(`select ${expression} as value`)).rows[0].value

describe('openDatabase', () => {
  it('refuses a bigint that a number cannot hold', async () => {
    await expect(value('9007199254740993::bigint')).rejects.toThrow('select it as text')
    expect(await value('9007199254740993::bigint::text')).toBe('9007199254740993')
  })

  it.each([
    ['count(*)', 1],
    ['-9007199254740991::bigint', -9007199254740991],
    ["date '2024-02-29'", '2024-02-29'],
    ["timestamptz '2024-02-29T12:00:00+02'", new Date('2024-02-29T10:00:00Z')],
    ['array[1, null]::bigint[]', [1, null]],
    ["array[date '2024-02-29']", ['2024-02-29']],
    ["array['a', null]", ['a', null]],
    ['1.50::numeric', '1.50'],
    ["'[1]'::jsonb", [1]],
  ])('reads %s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected)
  })

  it('outlives a connection that the server ends, idle or inside a transaction', async () => {
    const end = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(db)
    const broken = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await end(rows[0]?.pid ?? 0)
      await sql`select 1`.execute(tx)
    })
    await expect(broken).rejects.toThrow()
    const idle = await pool.connect()
    const { rows } = await idle.query('select pg_backend_pid() as pid')
    idle.release()
    const other = openDatabase(poolConfig)
    await other.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    await other.close()
    await expect.poll(() => value('1').catch(() => 0)).toBe(1)
  })

  it('holds no more connections than allowed, and closes twice without complaint, used or not', async () => {
    const one = openDatabase({ ...poolConfig, max: 1 })
    await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int`.execute(one.db)))
    expect(one.pool.totalCount).toBe(1)
    await one.close()
    await one.close()
    await openDatabase(poolConfig).close()
  })
})
