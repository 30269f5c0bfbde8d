import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { assertDatabaseUsable, judgeDatabase } from './assert-database-usable.ts'
import { openDatabase } from './database.ts'

const { db, pool, poolConfig, close } = await testDatabase()
afterAll(close)

/** Runs the check on a new database made with these options. */
const checkOn = async (options: string) => {
  const database = `it_odd_${randomBytes(6).toString('hex')}`
  await pool.query(`create database ${database} template template0 ${options}`)
  const other = openDatabase({ ...poolConfig, database })
  try {
    await assertDatabaseUsable(other.db)
  } finally {
    await other.close()
    await pool.query(`drop database ${database}`)
  }
}

describe('assertDatabaseUsable', () => {
  it('refuses a database whose character type has no Cyrillic, and says how to make one that has', async () => {
    await expect(checkOn("encoding 'UTF8' locale 'C'")).rejects.toThrow(/would find no Cyrillic.*locale 'C.UTF-8'/)
  })

  it('refuses another encoding', async () => {
    await expect(checkOn("encoding 'SQL_ASCII' locale 'C'")).rejects.toThrow('encoded in SQL_ASCII; UTF8 is needed')
  })

  it('refuses a server older than 15', () => {
    expect(() => judgeDatabase({ version: 140_012, encoding: 'UTF8', trigrams: 5 })).toThrow('PostgreSQL 14; version 15 or later is needed')
  })

  it('refuses a database without pg_trgm', () => {
    expect(() => judgeDatabase({ version: 150_000, encoding: 'UTF8', trigrams: null })).toThrow('create extension pg_trgm')
  })

  it('accepts the migrated database', async () => {
    await assertDatabaseUsable(db)
  })

  it('accepts an empty database and makes the extension', async () => {
    await checkOn("encoding 'UTF8' locale 'C.UTF-8'")
  })
})
