import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'

/**
 * Every target, with whether it rests: nothing is tried there, because somebody switched it off, or because it kept failing and is paused.
 * `paused_until` says when it is tried again by itself: `infinity` for never, null when it does not rest.
 */
export const TARGETS = sql`(
  select p.tenant_id, p.target_id, p.name, p.enabled, not p.enabled or h.paused_since is not null as rests,
    case when p.enabled then h.paused_until else 'infinity' end as paused_until
  from provisioning_targets p
  left join target_health h on h.tenant_id = p.tenant_id and h.target_id = p.target_id
)`

/** What is owed; at a target that rests it is paused with it, whatever became of it before. */
export const OWED = ['pending', 'failed', 'paused'] as const

/** How the account or group `a` stands at its target `t` of `TARGETS`, as everybody is told. */
export const shownState = sql<string>`case when t.rests and a.state = any(${OWED}) then 'paused' else a.state end`

/**
 * When the account or group `a` is tried next at its target `t`. Rows to be done at once carry -infinity, which is no time that anybody could be
 * told; others only wait while something failed. Nothing is tried before its target is.
 */
export const nextTry = sql<Date | null>`case
  when t.rests and a.state = any(${OWED}) then nullif(greatest(a.next_try_at, t.paused_until), 'infinity')
  when a.state in ('failed', 'paused', 'leaving') and isfinite(a.next_try_at) then a.next_try_at
end`

/** Whether a target rests; undefined when the tenant has no such target. */
export const standingOf = async (db: Db, { tenantId, targetId }: TargetKey): Promise<{ rests: boolean } | undefined> => {
  const { rows } = await sql<{ rests: boolean }>`
    select t.rests from ${TARGETS} t where t.tenant_id = ${tenantId} and t.target_id = ${targetId}`.execute(db)
  return rows[0]
}
