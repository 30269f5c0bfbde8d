import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { uuidv7 } from '../ids.ts'
import { type NewEvent, recordEvents } from './record-event.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const event = (tenantId: string, more: Partial<NewEvent> = {}): NewEvent => ({
  tenantId,
  at: new Date(),
  stream: 'admin',
  type: 'admin.created',
  correlationId: 'c',
  actor: { kind: 'system', id: null, name: 'Test' },
  ...more,
})

describe('events', () => {
  it('of a transaction that fails are not there', async () => {
    const tenantId = uuidv7()
    const failing = database.db.transaction().execute(async (tx) => {
      await recordEvents(tx, [event(tenantId)])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await database.db.selectFrom('events').select('id').where('tenant_id', '=', tenantId).execute()).toEqual([])
  })

  it('of the admin stream are chained per tenant, also when written at once', async () => {
    const [one, two] = [uuidv7(), uuidv7()]
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        database.db.transaction().execute((tx) => recordEvents(tx, [event(index % 2 ? one : two, { data: { index } })])),
      ),
    )
    const { rows } = await sql<{ hashes: number; events: number }>`
      select count(distinct hash)::integer as hashes, count(*)::integer as events from events where tenant_id in (${one}, ${two})`.execute(
      database.db,
    )
    expect(rows).toEqual([{ hashes: 10, events: 10 }])
  })

  it('go to the partition of their month, made ahead, and to the rest where there is none', async () => {
    const tenantId = uuidv7()
    await sql`select ensure_event_partitions('2031-05-20', 2)`.execute(database.db)
    await sql`select ensure_event_partitions('2031-05-20', 2)`.execute(database.db)
    await database.db
      .transaction()
      .execute((tx) =>
        recordEvents(tx, [
          event(tenantId, { stream: 'user', at: new Date('2031-06-30T23:59:59Z') }),
          event(tenantId, { stream: 'user', at: new Date('2041-01-01T00:00:00Z') }),
        ]),
      )
    const { rows } = await sql<{
      part: string
    }>`select tableoid::regclass::text as part from events where tenant_id = ${tenantId} order by at`.execute(database.db)
    expect(rows.map(({ part }) => part)).toEqual(['events_2031_06', 'events_rest'])
  })
})
