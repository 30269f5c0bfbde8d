import type { DriftSettings } from '@instep/contract/drift.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { TargetKey } from './account.store.ts'
import { nextDrift } from './drift.rules.ts'
import { findDriftSettings, saveDriftSettings } from './drift.store.ts'
import { queueDrift } from './drift-run.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
}

/** Sets what a target is read back by; the same again changes and records nothing. Throws `NOT_FOUND`. */
export const setDriftSettings = (
  { db, clock }: Deps,
  key: TargetKey,
  { settings, actor, correlationId }: { settings: DriftSettings; actor: Actor; correlationId: string },
): Promise<{ settings: DriftSettings; nextAt: Date | null }> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string }>`
      select name from provisioning_targets where tenant_id = ${key.tenantId} and target_id = ${key.targetId}`.execute(tx)
    const [target] = rows
    if (!target) throw problem('NOT_FOUND')
    const before = await findDriftSettings(tx, key)
    const names = Object.keys(settings) as (keyof DriftSettings)[]
    if (names.every((name) => before.settings[name] === settings[name])) return before
    const at = clock.now()
    const nextAt = nextDrift(settings, at)
    await saveDriftSettings(tx, key, { settings, nextAt })
    await recordEvents(tx, [
      {
        tenantId: key.tenantId,
        at,
        stream: 'directory',
        type: 'drift.settings',
        correlationId,
        actor: { kind: 'admin', id: actor.id, name: actor.name },
        connectorId: key.targetId,
        data: { target: target.name },
        before: before.settings,
        after: settings,
      },
    ])
    return { settings, nextAt }
  })

/** Starts the read-backs that are due. What was missed is made up for once; a target that has a run, or is switched off, is left for the next time. */
export const runDueDrift = async ({ db, clock, nudge }: Deps & { readonly nudge: () => void }): Promise<void> => {
  const at = clock.now()
  const { rows } = await sql<TargetKey & { enabled: boolean }>`
    select s.tenant_id as "tenantId", s.target_id as "targetId", t.enabled
    from drift_settings s join provisioning_targets t on t.tenant_id = s.tenant_id and t.target_id = s.target_id
    where s.next_at <= ${at}`.execute(db)
  for (const { enabled, ...key } of rows) {
    const queued = await db.transaction().execute(async (tx) => {
      // of several processes the first one starts it
      const due = await sql`
        select from drift_settings where tenant_id = ${key.tenantId} and target_id = ${key.targetId} and next_at <= ${at}
        for update skip locked`.execute(tx)
      if (due.rows.length === 0) return undefined
      const { settings } = await findDriftSettings(tx, key)
      await saveDriftSettings(tx, key, { settings, nextAt: nextDrift(settings, at) })
      if (!enabled) return undefined
      const by = { kind: 'system', id: null, name: 'Instep' } as const
      return queueDrift(tx, { ...key, began: 'schedule', putBack: settings.putBack, by, correlationId: uuidv7(at.getTime()), at })
    })
    if (queued) nudge()
  }
}
