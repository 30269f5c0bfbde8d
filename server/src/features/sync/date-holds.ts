import type { DateHold as DateHoldShown } from '@instep/contract/date-holds.ts'
import { DEFAULT_GUARDS } from '@instep/contract/guard-settings.ts'
import type { HeldReason } from '@instep/contract/run-findings.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { tellAdmins } from '../messaging/public.ts'
import { findSource } from './connector-config.store.ts'
import { guard } from './guard.ts'
import { type Ending, endingFigures } from './guard-figures.ts'

interface Key {
  readonly tenantId: string
  readonly connectorId: string
  readonly at: Date
}

/** A connector whose end dates wait for an administrator. */
export interface DateHold {
  readonly connectorId: string
  readonly connectorName: string
  /** Active people who would be deactivated. */
  readonly ending: number
  readonly held: HeldReason
  readonly heldAt: Date
  readonly allowed: boolean
}

const allowance = async (db: Db, { tenantId, connectorId }: Key): Promise<number | null> => {
  const { rows } = await sql<{ allowed: number | null }>`
    select allowed from date_holds where tenant_id = ${tenantId} and connector_id = ${connectorId}`.execute(db)
  return rows[0]?.allowed ?? null
}

/** Whether these people of a connector may be ended now: because the guard lets them go, because an administrator did, or not, and why. */
export const mayEnd = async (db: Db, key: Key, ending: readonly Ending[]): Promise<'guarded' | 'allowed' | HeldReason> => {
  const allowed = await allowance(db, key)
  if (allowed !== null && sumOf(ending) <= allowed) return 'allowed'
  const settings = (await findSource(db, key))?.config.guard ?? DEFAULT_GUARDS
  const figures = await endingFigures(db, { ...key, settings }, ending)
  // no record is counted, because no source was read
  return guard({ ...figures, records: 1, lostColumns: [], source: [] }, settings)[0] ?? 'guarded'
}

/** How many people end in all. */
export const sumOf = (ending: readonly Ending[]): number => ending.reduce((sum, { ended }) => sum + ended, 0)

/** Notes that the connector's end dates wait; the first time it is an event. An allowance that was not enough is none. */
export const holdDates = (db: Db, key: Key, { held, ending }: Pick<DateHold, 'held' | 'ending'>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, connectorId, at } = key
    const { rows } = await sql<{ first: boolean }>`
      insert into date_holds as h (tenant_id, connector_id, held, ending, held_at)
      values (${tenantId}, ${connectorId}, ${JSON.stringify(held)}, ${ending}, ${at})
      on conflict (tenant_id, connector_id) do update set held = excluded.held, ending = excluded.ending, allowed = null
        where h.ending <> excluded.ending or h.allowed is not null
      returning xmax = 0 as first`.execute(tx)
    if (!rows[0]?.first) return
    const correlationId = uuidv7(at.getTime())
    await recordHold(tx, key, { type: 'dates.held', actor: SYSTEM, correlationId, data: { count: ending } })
    const params = { connectorId, connector: (await findSource(tx, key))?.name ?? '', count: ending }
    await tellAdmins(tx, { tenantId, template: 'heldDates', params, occasion: `${connectorId} ${at.toISOString()}`, correlationId, at })
  })

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'Instep' }

const recordHold = async (
  tx: Tx,
  { tenantId, connectorId, at }: Key,
  event: { type: string; actor: EventActor; correlationId?: string; data: { count: number; reason?: string } },
): Promise<void> => {
  const { rows } = await sql<{ name: string }>`select name from connectors where tenant_id = ${tenantId} and id = ${connectorId}`.execute(
    tx,
  )
  const { correlationId = uuidv7(at.getTime()), data, ...rest } = event
  await recordEvents(tx, [
    { ...rest, tenantId, at, stream: 'directory', correlationId, connectorId, data: { connector: rows[0]?.name ?? '', ...data } },
  ])
}

/** Counts people for the day's guard, by where they work. */
export const recordPass = async (db: Db, { tenantId, connectorId, at }: Key, ending: readonly Ending[]): Promise<void> => {
  const counted = ending.filter(({ ended }) => ended > 0).map((row) => ({ ...row, id: uuidv7(at.getTime()) }))
  if (counted.length === 0) return
  await sql`
    insert into date_passes (tenant_id, id, connector_id, at, site_id, ended)
    select ${tenantId}::uuid, e.id, ${connectorId}::uuid, ${at}::timestamptz, e."siteId", e.ended
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as e (id uuid, "siteId" uuid, ended integer)`.execute(db)
}

/** Forgets the holds of a tenant's connectors other than these: nobody of theirs is waiting any more. */
export const releaseOthers = async (db: Db, { tenantId, waiting }: { tenantId: string; waiting: readonly string[] }): Promise<void> => {
  await sql`delete from date_holds where tenant_id = ${tenantId} and connector_id <> all (${[...waiting]}::uuid[])`.execute(db)
}

/** The connectors of a tenant whose end dates wait, longest first. */
export const listDateHolds = async (db: Db, { tenantId, connectorId }: { tenantId: string; connectorId?: string }): Promise<DateHold[]> => {
  const { rows } = await sql<DateHold>`
    select h.connector_id as "connectorId", c.name as "connectorName", h.ending, h.held, h.held_at as "heldAt", h.allowed is not null as allowed
    from date_holds h join connectors c on c.tenant_id = h.tenant_id and c.id = h.connector_id
    where h.tenant_id = ${tenantId} ${connectorId ? sql`and h.connector_id = ${connectorId}` : sql``}
    order by h.held_at, h.connector_id`.execute(db)
  return rows
}

/** A hold as the contract shows it. */
export const presentDateHold = ({ heldAt, ...hold }: DateHold): DateHoldShown => ({ ...hold, heldAt: heldAt.toISOString() })

/** Lets the end dates of a connector act that wait, as many as it was held for; the next pass carries them out. Throws `DATES_NOT_HELD`. */
export const allowDates = (
  db: Db,
  { by, reason, correlationId, ...key }: Key & { by: EventActor; reason: string; correlationId: string },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ ending: number }>`
      update date_holds set allowed = ending
      where tenant_id = ${key.tenantId} and connector_id = ${key.connectorId} and allowed is null returning ending`.execute(tx)
    const [hold] = rows
    if (!hold) throw problem('DATES_NOT_HELD')
    await recordHold(tx, key, { type: 'dates.allowed', actor: by, correlationId, data: { count: hold.ending, reason } })
  })
