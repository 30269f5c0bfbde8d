import {
  DEFAULT_GUARDS,
  type GuardConfig,
  type GuardSettings,
  type Guards,
  guardsByPlace,
  guardsLeftOff,
  guardsTurnedOff,
} from '@instep/contract/guard-settings.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { saveConfig } from '../connectors/public.ts'
import { guardedSource, guardedSourceToChange } from './guarded-source.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

export interface GuardChange extends ConnectorKey {
  readonly settings: GuardSettings
  readonly reason: string | undefined
  readonly by: EventActor
  readonly correlationId: string
}

/** The guards of a source in force, with the defaults. Throws `NOT_FOUND`, `CONNECTOR_KIND_WRONG`. */
export const viewGuards = async (db: Db | Tx, key: ConnectorKey): Promise<Guards> => {
  const { config, configVersion } = await guardedSource(db, key)
  const { rows } = await sql<{ active: number }>`
    select count(*)::integer as active from users where tenant_id = ${key.tenantId} and connector_id = ${key.connectorId} and active`.execute(
    db,
  )
  const { off: _, ...defaults } = DEFAULT_GUARDS
  return {
    settings: config.guard ?? DEFAULT_GUARDS,
    defaults,
    active: rows[0]?.active ?? 0,
    version: config.guard ? configVersion : null,
  }
}

/** What is different between two settings, each guard whole; the schema gives members one order. */
const difference = (before: GuardSettings, after: GuardSettings) => {
  const [was, is]: [Record<string, unknown>, Record<string, unknown>] = [guardsByPlace(before), guardsByPlace(after)]
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (guard) => JSON.stringify(was[guard]) !== JSON.stringify(is[guard]),
  )
  const of = (values: Record<string, unknown>) => Object.fromEntries(changed.map((guard) => [guard, values[guard] ?? null]))
  return { changed, before: of(was), after: of(is) }
}

/** A limit of a site that the tenant does not have is refused. */
const assertSites = async (tx: Tx, tenantId: string, { sites }: GuardSettings): Promise<void> => {
  const ids = [...new Set(sites.flatMap(({ siteId }) => siteId ?? []))]
  if (ids.length === 0) return
  const { rows } = await sql`select from sites where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`.execute(tx)
  if (rows.length < ids.length) throw problem('NOT_FOUND')
}

const change = async (tx: Tx, given: GuardChange, at: Date): Promise<void> => {
  const { tenantId, connectorId, settings, reason, by, correlationId } = given
  const source = await guardedSourceToChange(tx, given)
  await assertSites(tx, tenantId, settings)
  const before = source.config.guard ?? DEFAULT_GUARDS
  const { changed, ...values } = difference(before, settings)
  if (changed.length === 0) return
  if (guardsTurnedOff(before, settings).length > 0 && !reason) throw problem('GUARD_REASON_REQUIRED')
  const off = guardsLeftOff(before, settings, () => ({ by: by.name, at: at.toISOString(), reason: reason ?? '' }))
  const guard: GuardConfig = { ...settings, off }
  const version = await saveConfig(tx, { tenantId, connectorId, change: { guard }, by, at })
  await recordEvents(tx, [
    {
      tenantId,
      at,
      stream: 'directory',
      type: 'connector.guard.changed',
      correlationId,
      actor: by,
      connectorId,
      data: { name: source.name, version, changed: changed.join(', '), ...(reason ? { reason } : {}) },
      ...values,
    },
  ])
}

/**
 * Changes the guards of a source as a new version of its configuration; what changes nothing leaves no trace. Runs that are planned already keep
 * the version that they were planned by. Throws `NOT_FOUND`, `CONNECTOR_KIND_WRONG`, `PERMISSION_MISSING`, and `GUARD_REASON_REQUIRED` where a guard
 * is turned off without a reason.
 */
export const updateGuards = async ({ db, clock }: { db: Db; clock: Clock }, given: GuardChange): Promise<Guards> =>
  db.transaction().execute(async (tx) => {
    await change(tx, given, clock.now())
    return viewGuards(tx, given)
  })
