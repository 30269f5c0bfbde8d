import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, migrationsDir, missingMigrations, readMigrations } from './migrate.ts'

const home = await testDatabase()
afterAll(home.close)

let directory = ''
let database: Database
let round = 0

const openSchema = () => openDatabase({ ...home.poolConfig, max: 2, options: `-c search_path=round${round}` })
const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
const tables = async () => {
  const { rows } = await home.pool.query('select tablename from pg_tables where schemaname = $1 order by 1', [`round${round}`])
  return rows.map((row) => row.tablename)
}

beforeEach(async () => {
  round++
  await home.pool.query(`create schema round${round}`)
  directory = mkdtempSync(join(tmpdir(), 'instep-migrations-'))
  database = openSchema()
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})

describe('migrate', () => {
  it('refuses a migration that was changed after it had run', async () => {
    write('0001-first.sql', 'create table a (id int);')
    await migrate(database.db, directory)
    write('0001-first.sql', 'create table a (id bigint);')
    await expect(migrate(database.db, directory)).rejects.toThrow('0001-first.sql was changed after it had been applied')
  })

  it('refuses a database that a newer version migrated', async () => {
    write('0001-first.sql', 'select 1;')
    write('0002-second.sql', 'select 1;')
    await migrate(database.db, directory)
    rmSync(join(directory, '0002-second.sql'))
    await expect(migrate(database.db, directory)).rejects.toThrow('this one does not know 0002-second.sql')
  })

  it.each([
    ['first.sql', 'must be named like'],
    ['0001-other.sql', 'have the same number'],
  ])('refuses a file named %s', async (name, message) => {
    write('0001-first.sql', '')
    write(name, '')
    await expect(migrate(database.db, directory)).rejects.toThrow(message)
  })

  it('leaves nothing of one that fails, names file and line, and keeps those before', async () => {
    write('0001-good.sql', 'create table good (id int);')
    write('0002-bad.sql', 'create table bad (id int);\n\ninsert into bad\n  select missing from good;')
    write('0003-later.sql', 'create table later (id int);')
    await expect(migrate(database.db, directory)).rejects.toThrow(
      'The migration 0002-bad.sql failed at line 4: column "missing" does not exist',
    )
    expect(await tables()).toEqual(['good', 'instep_migrations'])
    expect(await missingMigrations(database.db, directory)).toEqual(['0002-bad.sql', '0003-later.sql'])
    write('0002-bad.sql', 'create table bad (id int);')
    expect(await migrate(database.db, directory)).toEqual(['0002-bad.sql', '0003-later.sql'])
  })

  it('runs several statements, functions and quoted semicolons in order, and nothing the second time', async () => {
    write(
      '0002-second.sql',
      "create function two() returns text language plpgsql as $$ begin return ';'; end $$;\ninsert into a values (2);",
    )
    write('0001-first.sql', 'create table a (id int); -- a; comment\ninsert into a values (1);')
    write('notes.txt', 'not SQL')
    expect(await migrate(database.db, directory)).toEqual(['0001-first.sql', '0002-second.sql'])
    expect(await migrate(database.db, directory)).toEqual([])
    expect(await missingMigrations(database.db, directory)).toEqual([])
    const { rows } = await sql<{ id: number }>`select id from a order by id`.execute(database.db)
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('takes other line ends for the same file', async () => {
    write('0001-first.sql', 'create table a\n(id int);\n')
    await migrate(database.db, directory)
    write('0001-first.sql', 'create table a\r\n(id int);\r\n')
    expect(await migrate(database.db, directory)).toEqual([])
  })

  it('runs each file once when two instances start together', async () => {
    write('0001-first.sql', 'create table a (id int); select pg_sleep(0.05);')
    const other = openSchema()
    const runs = await Promise.all([migrate(database.db, directory), migrate(other.db, directory)])
    await other.close()
    expect(runs.flat()).toEqual(['0001-first.sql'])
  })

  it('reads the product’s own files by default', async () => {
    const names = readMigrations(migrationsDir).map(({ name }) => name)
    expect(names[0]).toBe('0001-foundation.sql')
    expect(await missingMigrations(home.db)).toEqual([])
  })
})
