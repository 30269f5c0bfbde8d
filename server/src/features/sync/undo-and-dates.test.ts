import type { Mapping, Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { actOnDates } from './act-on-dates.ts'
import { startUndo } from './start-undo.ts'
import { ADMIN, csvOf, type SyncWorld, syncWorld } from './testing/sync-world.ts'

const MAPPING: Mapping = {
  fields: {
    externalId: { column: 'id' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    startDate: { column: 'start', dateFormat: 'YMD' },
    endDate: { column: 'end', dateFormat: 'YMD' },
  },
}
let world: SyncWorld

beforeEach(async () => {
  world = await syncWorld()
  world.setTime(new Date('2026-11-21T12:00:00Z'))
})
afterEach(() => world.close())

const row = (id: string, { start = '2020-01-01', end = '' } = {}) => [id, 'Ada', id, start, end]
const sync = (...rows: string[][]) => world.sync(csvOf([['id', 'first', 'last', 'start', 'end'], ...rows]), MAPPING)
const undo = async ({ id: runId }: Run): Promise<Run> => {
  const { id } = await startUndo(world.deps, { tenantId: world.tenantId, runId, by: ADMIN, correlationId: uuidv7() })
  return world.apply(await world.until(id, ['planned', 'held']), 'the file was wrong')
}
const passDates = (at: string) => actOnDates(world.database.db, new Date(at))
const stateOf = async (id: string) => {
  const { rows } = await sql<{ state: string; missing: boolean }>`
    select u.employment_state as state, l.missing_since is not null as missing
    from users u join source_links l on l.tenant_id = u.tenant_id and l.user_id = u.id where u.external_id = ${id}`.execute(
    world.database.db,
  )
  return rows[0]
}
const others = [row('E2'), row('E3'), row('E4')]

describe('after a run was taken back, dates act on whoever the source keeps', () => {
  it('somebody who had not started and was taken for gone starts on their day', async () => {
    await sync(row('E1', { start: '2026-11-23' }), ...others)
    const gone = await sync(...others)
    expect(await stateOf('E1')).toEqual({ state: 'left', missing: true })
    await undo(gone)
    expect(await stateOf('E1')).toEqual({ state: 'notStarted', missing: false })
    await passDates('2026-11-23T00:00:00Z')
    expect(await stateOf('E1')).toEqual({ state: 'employed', missing: false })
  })

  it('somebody whose end was put off and is not any more is ended, and no leaver', async () => {
    await sync(row('E1', { end: '2026-11-20' }), ...others)
    const back = await sync(row('E1', { end: '2026-12-20' }), ...others)
    await undo(back)
    expect(await stateOf('E1')).toEqual({ state: 'ended', missing: false })
  })
})

describe('after a run was taken back that brought somebody who starts later', () => {
  it('they have left, and a file without them switches nobody off', async () => {
    await sync(...others)
    await undo(await sync(row('E1', { start: '2026-11-23' }), ...others))
    expect(await stateOf('E1')).toEqual({ state: 'left', missing: true })
    const run = await sync(...others)
    expect(run.counts).toMatchObject({ deactivate: 0, unchanged: 3 })
    const { rows } = await sql`select from events where type = 'user.deactivated'`.execute(world.database.db)
    expect(rows).toEqual([])
  })
})
