import { GUARD_KINDS, type GuardKind, type GuardSettings } from '@instep/contract/guard-settings.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { GuardFigures, Place } from './guard.ts'
import { joinPlace, siteOfRow } from './plan-place.ts'

const DAY = 24 * 60 * 60 * 1000

interface Asked {
  readonly tenantId: string
  readonly connectorId: string
  readonly at: Date
  readonly settings: GuardSettings
}

interface AskedOfPlan extends Asked {
  readonly runId: string
}

/** How many active people of a site end; `siteId` null: of no site. */
export interface Ending {
  readonly siteId: string | null
  readonly ended: number
}

type Counted = Record<GuardKind, number> & { readonly siteId: string | null }

/** Kinds of plan rows that each guard counts; whoever comes back is counted with those who come. */
const ROWS: Readonly<Record<GuardKind, readonly string[]>> = {
  create: ['create', 'reactivate', 'future'],
  update: ['update'],
  deactivate: ['deactivate', 'future'],
  leave: ['deactivate', 'leave'],
}

/** A start date that has been put off switches somebody off who was at work. */
const SWITCHED_OFF = sql`coalesce(p.before ->> 'active' = 'true', false)`

const isIn = (kinds: readonly string[]) => sql`p.kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`

/** Counts rows `p` by guard and site, where the rows are read from `from`; of somebody who is not active nobody goes. */
const countRows = (from: RawBuilder<unknown>, { guards, goes }: { guards: readonly GuardKind[]; goes: RawBuilder<unknown> }) => {
  const counted: Record<GuardKind, RawBuilder<unknown>> = {
    create: sql`(p.kind <> 'future' or not ${SWITCHED_OFF})`,
    update: sql`true`,
    deactivate: sql`(${goes} and (p.kind <> 'future' or ${SWITCHED_OFF}))`,
    leave: sql`(p.kind = 'leave' or ${goes} and p.reasons @> '[{"code": "outOfScope"}]')`,
  }
  const columns = GUARD_KINDS.map(
    (kind) => sql`count(*) filter (where ${isIn(ROWS[kind])} and ${counted[kind]})::integer as ${sql.ref(kind)}`,
  )
  const kinds = [...new Set(guards.flatMap((kind) => ROWS[kind]))]
  return sql<Counted>`
    select ${siteOfRow} as "siteId", ${sql.join(columns)} from ${from} and ${isIn(kinds)} group by 1`
}

const planned = ({ tenantId, runId }: AskedOfPlan) => sql`plan_rows p ${joinPlace} where p.tenant_id = ${tenantId} and p.run_id = ${runId}`

/** Rows that the connector's runs have carried out in the 24 hours before, and all of one that is being carried out. */
const carriedOut = ({ tenantId, connectorId, at }: Asked) => sql`
  runs r join plan_rows p on p.tenant_id = r.tenant_id and p.run_id = r.id and not p.stale
    and (r.finished_at is null or p.seq <= r.applied_through) ${joinPlace}
  where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId}
    and (r.finished_at > ${new Date(at.getTime() - DAY)} or r.finished_at is null and r.decided_at is not null)`

/** People whom end dates have taken in the 24 hours before, by where they worked; those whom an administrator let go are not among them. */
const takenByDates = async (db: Db | Tx, { tenantId, connectorId, at }: Asked): Promise<Counted[]> => {
  const { rows } = await sql<{ siteId: string | null; ended: number }>`
    select site_id as "siteId", sum(ended)::integer as ended from date_passes
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and at > ${new Date(at.getTime() - DAY)} group by site_id`.execute(db)
  return rows.map(deactivated)
}

const deactivated = ({ siteId, ended }: Ending): Counted => ({ siteId, create: 0, update: 0, deactivate: ended, leave: 0 })

/** Guards whose rows are worth counting: those with a limit, for the connector or for sites. */
const guardsAsked = ({ limits, sites }: GuardSettings, windows: readonly ('run' | 'day')[]): GuardKind[] =>
  GUARD_KINDS.filter(
    (kind) =>
      // a source without a record says how many would go, whatever is limited
      kind === 'deactivate' ||
      windows.some((window) => limits[kind][window].on || sites.some((site) => site.kind === kind && site[window].on)),
  )

const countActive = async (db: Db | Tx, { tenantId, connectorId }: Asked) => {
  const { rows } = await sql<{ siteId: string | null; site: string | null; active: number }>`
    select a.site_id as "siteId", s.name as site, a.active from (
      select site_id, count(*)::integer as active from users
      where tenant_id = ${tenantId} and connector_id = ${connectorId} and active group by site_id
    ) a left join sites s on s.tenant_id = ${tenantId} and s.id = a.site_id`.execute(db)
  return rows
}

const total = (rows: readonly Counted[], kind: GuardKind): number => rows.reduce((sum, row) => sum + row[kind], 0)

const placeOf = (active: number, now: readonly Counted[], recent: readonly Counted[]): Place => {
  const amount = (kind: GuardKind) => ({ now: total(now, kind), recent: total(recent, kind) })
  return {
    active,
    amounts: { create: amount('create'), update: amount('update'), deactivate: amount('deactivate'), leave: amount('leave') },
  }
}

type Figures = Pick<GuardFigures, 'whole' | 'sites'>

const figuresOf = async (db: Db | Tx, asked: Asked, now: readonly Counted[]): Promise<Figures> => {
  const { settings } = asked
  const carried = await countRows(carriedOut(asked), { guards: guardsAsked(settings, ['day']), goes: sql`true` }).execute(db)
  const recent = [...carried.rows, ...(await takenByDates(db, asked))]
  const active = await countActive(db, asked)
  const of = (rows: readonly Counted[], siteId: string) => rows.filter((row) => row.siteId === siteId)
  const whole = placeOf(
    active.reduce((sum, row) => sum + row.active, 0),
    now,
    recent,
  )
  if (settings.sites.length === 0) return { whole, sites: [] }
  const sites = active.flatMap(({ siteId, site, active: there }) =>
    siteId && site ? [{ siteId, site, ...placeOf(there, of(now, siteId), of(recent, siteId)) }] : [],
  )
  return { whole, sites }
}

/**
 * What a plan in the table comes to, for the connector and for each site with somebody active: whom it concerns, whom the connector's runs and
 * end dates concerned in the 24 hours before `at`, and how many are active. To be asked in the transaction that the plan is written in.
 */
export const guardFigures = async (tx: Tx, asked: AskedOfPlan): Promise<Figures> => {
  const now = await countRows(planned(asked), { guards: guardsAsked(asked.settings, ['run', 'day']), goes: sql`u.active` }).execute(tx)
  return figuresOf(tx, asked, now.rows)
}

/** The same for people whose end dates have come. */
export const endingFigures = (db: Db | Tx, asked: Asked, ending: readonly Ending[]): Promise<Figures> =>
  figuresOf(db, asked, ending.map(deactivated))
