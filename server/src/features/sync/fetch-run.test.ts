import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { rejectRun } from './decide-run.ts'
import { runDueSchedules, tellSilence } from './run-schedules.ts'
import { setSchedule, showSchedule } from './set-schedule.ts'
import { viewSource } from './sources.views.ts'
import { fetchNow } from './start-fetch.ts'
import { ADMIN, csvOf, HEADER, people, type SyncWorld, syncWorld } from './testing/sync-world.ts'

const DAILY = { cron: '0 6 * * *', timeZone: 'UTC', enabled: true, apply: 'approval' } as const
const root = mkdtempSync(path.join(tmpdir(), 'instep-watched-'))
const folder = path.join(root, 'hr')
let world: SyncWorld
let made = 0

beforeAll(() => mkdirSync(folder))
afterAll(() => rmSync(root, { recursive: true, force: true }))
beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  world = await syncWorld({ folderRoot: root })
  world.setTime(new Date('2026-03-01T00:00:00Z'))
  await sql`
    update connectors set properties = '{"delivery": "folder", "folder": "hr", "pattern": "*.csv"}' where id = ${world.connectorId}`.execute(
    world.database.db,
  )
})
afterEach(() => world.close())

const put = (rows: string[][], name = 'people.csv'): void => {
  made += 1
  const file = path.join(folder, name)
  writeFileSync(file, csvOf([HEADER, ...rows]))
  const at = new Date(world.deps.clock.now().getTime() - 3_600_000 + made * 1000)
  utimesSync(file, at, at)
}
const key = () => ({ tenantId: world.tenantId, connectorId: world.connectorId })
const by = () => ({ by: ADMIN, correlationId: uuidv7() })
const fetch = async (dryRun = false): Promise<Run> => {
  const { id } = await fetchNow(world.deps, { ...key(), ...by(), dryRun })
  return world.until(id, ['planned', 'held', 'failed', 'succeeded'])
}
const schedule = (values: Partial<Parameters<typeof setSchedule>[1]['values']> = {}) =>
  setSchedule(world.deps, { ...key(), ...by(), values: { ...DAILY, ...values } })
const at = (text: string) => world.setTime(new Date(text))
const newestRun = async (): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`select id from runs where tenant_id = ${world.tenantId} order by id desc limit 1`.execute(
    world.database.db,
  )
  return rows[0]?.id
}
const countRuns = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from runs`.execute(world.database.db)
  return rows[0]?.count
}
const events = async (type: string) => {
  const { rows } = await sql<{
    type: string
    data: Record<string, unknown>
  }>`select type, data from events where type like ${`${type}%`} order by id`.execute(world.database.db)
  return rows.map(({ type: told, data }) => ({ ...data, told }))
}
/** Maps the columns and has one run applied by a person. */
const begin = () => world.sync(people(1, 20))

describe('a run that fetches', () => {
  it('is refused without a mapping, for uploads, and beside another run', async () => {
    await expect(fetch()).rejects.toMatchObject({ code: 'MAPPING_ABSENT' })
    await begin()
    put(people(1, 20))
    await fetch()
    await expect(fetch()).rejects.toMatchObject({ code: 'RUN_ACTIVE' })
    await sql`update connectors set properties = '{}' where id = ${world.connectorId}`.execute(world.database.db)
    await expect(fetch()).rejects.toMatchObject({ code: 'SOURCE_NOT_FETCHED' })
  })

  it('fails with the words of the source, and the source says so until it works', async () => {
    await begin()
    rmSync(folder, { recursive: true })
    expect(await fetch()).toMatchObject({ state: 'failed', failure: { code: 'SOURCE_FOLDER_MISSING', params: { folder: 'hr' } } })
    expect((await viewSource(world.deps, key())).lastError).toEqual({ code: 'SOURCE_FOLDER_MISSING', params: { folder: 'hr' } })
    mkdirSync(folder)
    put(people(1, 20))
    await fetch()
    expect((await viewSource(world.deps, key())).lastError).toBeNull()
    expect(world.files()).toHaveLength(1)
  })

  it('takes nothing larger than a file may be', async () => {
    await begin()
    writeFileSync(path.join(folder, 'people.csv'), 'x'.repeat(1_000_001))
    expect((await fetch()).failure).toEqual({ code: 'FILE_TOO_LARGE', params: { limit: '976.6 KiB' } })
    expect(world.files()).toEqual([])
  })

  it('plans what came, names the file, and moves the watermark and the file only when it is applied', async () => {
    await begin()
    put(people(1, 21))
    const first = await fetch()
    expect(first).toMatchObject({ state: 'planned', fileName: 'people.csv', began: 'hand', counts: { create: 1, unchanged: 20 } })
    expect((await events('run.planned')).at(-1)).toMatchObject({ file: 'people.csv' })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: first.id, by: ADMIN })
    expect(readdirSync(folder)).toEqual(['people.csv'])

    const second = await fetch(true)
    expect(second).toMatchObject({ state: 'planned', dryRun: true, counts: { create: 1 } })
    expect((await world.apply(second)).state).toBe('succeeded')
    await expect.poll(() => readdirSync(folder)).toEqual(['archive'])
    expect(readdirSync(path.join(folder, 'archive'))).toHaveLength(1)
    expect((await world.people()).size).toBe(21)
    expect(world.files()).toEqual([])

    const third = await fetch()
    expect(third).toMatchObject({ state: 'succeeded', nothingNew: true, fileName: null, counts: { unchanged: 21, deactivate: 0 } })
    expect(await world.rows(third)).toEqual([])
    expect(world.files()).toEqual([])
  })

  it('puts aside at the next fetch what a crash left lying, and does not read it again', async () => {
    await begin()
    put(people(1, 21))
    const run = await fetch()
    rmSync(path.join(folder, 'archive'), { recursive: true, force: true })
    writeFileSync(path.join(folder, 'archive'), 'a file where the archive should be')
    await world.apply(run)
    await expect.poll(async () => (await events('run.applied')).length).toBe(2)
    rmSync(path.join(folder, 'archive'))
    expect(await fetch()).toMatchObject({ nothingNew: true })
    expect(readdirSync(folder)).toEqual(['archive'])
  })

  it('fetches again after a crash before the file was committed, and reads the same file after one later', async () => {
    await begin()
    put(people(1, 21))
    const first = await fetch()
    // as a crash in the middle of planning leaves it
    await sql`update runs set state = 'running', leased_until = now() - interval '1 second' where id = ${first.id}`.execute(
      world.database.db,
    )
    put(people(1, 25))
    expect((await world.until(first.id, ['planned'])).counts.create).toBe(1)
    for (const name of world.files()) rmSync(path.join(world.deps.dataDir, 'files', name))
    await sql`update runs set state = 'running', leased_until = now() - interval '1 second' where id = ${first.id}`.execute(
      world.database.db,
    )
    await expect.poll(async () => (await world.until(first.id, ['planned'])).counts.create).toBe(5)
  })

  it('is held like any other', async () => {
    await begin()
    put(people(1, 5))
    expect(await fetch()).toMatchObject({ state: 'held', held: { code: 'massDeactivation' } })
  })
})

describe('a schedule', () => {
  it('means a time that there is, and applies by itself only after a person has', async () => {
    await expect(schedule({ cron: '0 0 31 2 *' })).rejects.toMatchObject({ code: 'INVALID' })
    await expect(schedule({ apply: 'automatic' })).rejects.toMatchObject({ code: 'SCHEDULE_AUTOMATIC_EARLY' })
    await begin()
    expect((await schedule({ apply: 'automatic' })).apply).toBe('automatic')
  })

  it('that is set to what it is leaves no trace', async () => {
    await schedule()
    await schedule({ cron: ' 0  6 * * * '.trim() })
    expect(await events('schedule.changed')).toHaveLength(1)
  })

  it('starts one run however many of its times were missed, and then waits for the next', async () => {
    await begin()
    put(people(1, 21))
    at('2026-03-02T12:00:00Z')
    await schedule()
    await runDueSchedules(world.deps)
    expect(await countRuns()).toBe(1)
    at('2026-03-09T12:00:00Z')
    put(people(1, 21))
    await Promise.all([runDueSchedules(world.deps), runDueSchedules(world.deps)])
    expect(await countRuns()).toBe(2)
    const run = await world.until((await newestRun()) ?? '', ['planned'])
    expect(run).toMatchObject({ began: 'schedule', createdBy: 'Schedule', counts: { create: 1 } })
    expect((await showSchedule(world.database.db, key(), new Date('2026-03-09T12:00:00Z')))?.next[0]).toBe('2026-03-10T06:00:00.000Z')
  })

  it('does not start while a run waits, says so once, and starts again afterwards', async () => {
    await begin()
    put(people(1, 21))
    const waiting = await fetch()
    at('2026-03-02T00:00:00Z')
    await schedule({ cron: '0 * * * *' })
    for (const hour of ['01', '02', '03']) {
      at(`2026-03-02T${hour}:00:00Z`)
      await runDueSchedules(world.deps)
    }
    expect(await countRuns()).toBe(2)
    expect(await events('schedule.skipped')).toMatchObject([{ told: 'schedule.skipped.runActive' }])
    await world.apply(waiting)
    at('2026-03-02T04:00:00Z')
    await runDueSchedules(world.deps)
    expect(await countRuns()).toBe(3)
    expect((await showSchedule(world.database.db, key(), new Date()))?.skipped).toBeNull()
  })

  it('passes over a connector that is disabled, and one that nothing is mapped for', async () => {
    at('2026-03-02T00:00:00Z')
    await schedule()
    at('2026-03-02T06:00:00Z')
    await runDueSchedules(world.deps)
    await sql`update connectors set enabled = false where id = ${world.connectorId}`.execute(world.database.db)
    at('2026-03-03T06:00:00Z')
    await runDueSchedules(world.deps)
    expect(await countRuns()).toBe(0)
    expect(await events('schedule.skipped')).toMatchObject([{ told: 'schedule.skipped.noMapping' }, { told: 'schedule.skipped.paused' }])
  })

  it('that may not bring people in does not', async () => {
    await begin()
    await sql`update connectors set permissions = 0 where id = ${world.connectorId}`.execute(world.database.db)
    at('2026-03-02T00:00:00Z')
    await schedule()
    at('2026-03-02T06:00:00Z')
    await runDueSchedules(world.deps)
    expect(await countRuns()).toBe(1)
  })

  it('tries three times more after a failure that may pass, and then waits for its time', async () => {
    await begin()
    const nowhere = JSON.stringify({ delivery: 'https', address: 'http://127.0.0.1:9/people.csv' })
    await sql`update connectors set properties = ${nowhere}::jsonb where id = ${world.connectorId}`.execute(world.database.db)
    at('2026-03-02T00:00:00Z')
    await schedule()
    const tried = async (now: string) => {
      at(now)
      await runDueSchedules(world.deps)
      const run = await world.until((await newestRun()) ?? '', ['failed', 'succeeded'])
      const { rows } = await sql<{ next: Date }>`select next_at as next from source_schedules`.execute(world.database.db)
      return [run.failure?.code, rows[0]?.next.toISOString().slice(8, 16)]
    }
    expect(await tried('2026-03-02T06:00:00Z')).toEqual(['SOURCE_UNREACHABLE', '02T06:15'])
    expect(await tried('2026-03-02T06:15:00Z')).toEqual(['SOURCE_UNREACHABLE', '02T06:30'])
    expect(await tried('2026-03-02T06:30:00Z')).toEqual(['SOURCE_UNREACHABLE', '02T06:45'])
    expect(await tried('2026-03-02T06:45:00Z')).toEqual(['SOURCE_UNREACHABLE', '03T06:00'])
  })

  it('applies by itself what no guard holds, and nothing else', async () => {
    await begin()
    at('2026-03-02T00:00:00Z')
    await schedule({ apply: 'automatic' })
    put(people(1, 21))
    at('2026-03-02T06:00:00Z')
    await runDueSchedules(world.deps)
    expect(await world.until((await newestRun()) ?? '', ['succeeded'])).toMatchObject({ applied: 1, decidedBy: 'Schedule' })
    put(people(1, 3))
    at('2026-03-03T06:00:00Z')
    await runDueSchedules(world.deps)
    expect((await world.until((await newestRun()) ?? '', ['held', 'succeeded'])).state).toBe('held')
    expect([...(await world.people()).values()].filter(({ active }) => active)).toHaveLength(21)
  })

  it('ends a run by itself that would change nobody, because there is nothing to approve', async () => {
    await begin()
    at('2026-03-02T00:00:00Z')
    await schedule()
    put(people(1, 20))
    at('2026-03-02T06:00:00Z')
    await runDueSchedules(world.deps)
    expect(await world.until((await newestRun()) ?? '', ['succeeded'])).toMatchObject({ applied: 0, counts: { unchanged: 20 } })
  })

  it('tells once that nothing has come for 26 hours, and that data comes again', async () => {
    await begin()
    at('2026-03-02T00:00:00Z')
    await schedule()
    put(people(1, 20))
    at('2026-03-02T06:00:00Z')
    await runDueSchedules(world.deps)
    await world.until((await newestRun()) ?? '', ['succeeded'])
    const silence = async (now: string) => {
      at(now)
      await runDueSchedules(world.deps)
      await tellSilence(world.deps)
      return (await viewSource(world.deps, key())).silentSince
    }
    expect(await silence('2026-03-03T07:59:00Z')).toBeNull()
    await world.until((await newestRun()) ?? '', ['succeeded'])
    expect(await silence('2026-03-03T08:00:00Z')).toBe('2026-03-03T08:00:00.000Z')
    expect(await silence('2026-03-03T09:00:00Z')).toBe('2026-03-03T08:00:00.000Z')
    expect(await events('source.silent')).toMatchObject([{ name: 'HR', since: '2026-03-02T06:00:00.000Z' }])
    put(people(1, 20))
    await fetch()
    expect((await viewSource(world.deps, key())).silentSince).toBeNull()
    expect(await events('source.heard')).toHaveLength(1)
  })

  it('takes no silence for one while a run waits for a person, nor one from before it was switched on again', async () => {
    await begin()
    at('2026-03-02T00:00:00Z')
    await schedule()
    put(people(1, 21))
    at('2026-03-02T06:00:00Z')
    await runDueSchedules(world.deps)
    const waiting = await world.until((await newestRun()) ?? '', ['planned'])
    const silentSince = async () => (await viewSource(world.deps, key())).silentSince
    at('2026-03-05T09:00:00Z')
    await tellSilence(world.deps)
    expect(await silentSince()).toBeNull()
    await rejectRun(world.deps, { ...key(), runId: waiting.id, by: ADMIN })
    await tellSilence(world.deps)
    expect(await silentSince()).toBe('2026-03-05T09:00:00.000Z')
    at('2026-03-06T00:00:00Z')
    await schedule({ enabled: false })
    expect(await silentSince()).toBe('2026-03-05T09:00:00.000Z')
    await schedule()
    expect(await silentSince()).toBeNull()
    await tellSilence(world.deps)
    expect(await silentSince()).toBeNull()
    at('2026-03-07T08:00:00Z')
    await tellSilence(world.deps)
    expect(await silentSince()).toBe('2026-03-07T08:00:00.000Z')
  })
})
