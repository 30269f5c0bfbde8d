import type { TargetHealth } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { DUE, type TargetKey } from './account.store.ts'
import { secondsFor } from './removals.rules.ts'

interface HealthRow {
  readonly since: Date | null
  readonly until: Date | null
  readonly cause: string | null
  readonly detail: string | null
  readonly perSecond: number | null
  readonly backlog: number
  readonly held: number
  readonly rejected: number
  readonly heldAt: Date | null
  readonly wanted: number
  readonly allowed: number
  readonly population: number
}

/** Whether a target works, what is due there at `now`, and what waits for a person; undefined when the tenant has no such target. */
export const targetHealth = async (db: Db, { tenantId, targetId }: TargetKey, now: Date): Promise<TargetHealth | undefined> => {
  const { rows } = await sql<HealthRow>`
    select
      h.paused_since as since, h.paused_until as until, h.cause, h.detail, h.per_second as "perSecond",
      -- all that are owed, without those who wait for their time
      ((select coalesce(sum(c.accounts), 0) from target_counts c
        where c.tenant_id = t.tenant_id and c.target_id = t.target_id and c.state in ${DUE})
      - (select count(*) from target_accounts a
        where a.tenant_id = t.tenant_id and a.target_id = t.target_id and a.state in ${DUE}
          and a.next_try_at > ${now} and a.state not in ('failed', 'paused')))::integer as backlog,
      (select count(*) from target_accounts a
        where a.tenant_id = t.tenant_id and a.target_id = t.target_id and a.state = 'held'
          and a.removal is distinct from 'rejected')::integer as held,
      (select count(*) from target_accounts a
        where a.tenant_id = t.tenant_id and a.target_id = t.target_id and a.state = 'held' and a.removal = 'rejected')::integer as rejected,
      r.held_at as "heldAt", coalesce(r.wanted, 0) as wanted, coalesce(r.allowed, 0) as allowed, coalesce(r.population, 0) as population
    from provisioning_targets t
    left join target_health h on h.tenant_id = t.tenant_id and h.target_id = t.target_id
    left join target_removal_holds r
      on r.tenant_id = t.tenant_id and r.target_id = t.target_id and r.kind = 'accounts' and r.decided_at is null
    where t.tenant_id = ${tenantId} and t.target_id = ${targetId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { since, until, cause, detail, perSecond, backlog, held, rejected, heldAt, wanted, allowed, population } = row
  return {
    pause: since && until && { since: since.toISOString(), until: until.toISOString(), cause: cause ?? '', detail: detail ?? '' },
    perSecond,
    backlog,
    estimatedSeconds: secondsFor(backlog, perSecond),
    hold: heldAt && { heldAt: heldAt.toISOString(), wanted, allowed, population },
    held,
    rejected,
  }
}
