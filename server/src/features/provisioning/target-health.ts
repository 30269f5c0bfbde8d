import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'
import type { Breaker } from './breaker.ts'

/** Pauses in a row, or a wait in milliseconds, after which administrators are told; shorter troubles pass by themselves. */
const NEWSWORTHY_PAUSES = 3
const NEWSWORTHY_WAIT = 30_000

interface Served {
  readonly db: Db
  readonly key: TargetKey
  readonly breaker: Breaker
  readonly now: Date
}

/** Writes down how a target did while it was served; nothing where nothing is new. */
export const recordHealth = async ({ db, key, breaker, now }: Served): Promise<void> => {
  const until = breaker.resumesAt()
  const told = until !== null && (breaker.pauses() >= NEWSWORTHY_PAUSES || until.getTime() - now.getTime() >= NEWSWORTHY_WAIT)
  const failing = breaker.failing()
  const failure = told ? breaker.lastFailure() : null
  await sql`
    insert into target_health as h (tenant_id, target_id, paused_since, paused_until, cause, detail)
    select ${key.tenantId}::uuid, ${key.targetId}::uuid, case when ${told} then ${now}::timestamptz end, ${told ? until : null}::timestamptz,
      ${failure?.code ?? null}, ${failure?.detail ?? null}
    where ${told} or exists (
      select from target_health x where x.tenant_id = ${key.tenantId} and x.target_id = ${key.targetId} and x.paused_since is not null
    )
    on conflict (tenant_id, target_id) do update set
      -- while a target is tried once after a pause, the trouble is not over
      paused_since = case when ${told} then coalesce(h.paused_since, excluded.paused_since) when ${failing} then h.paused_since end,
      paused_until = case when ${told} then excluded.paused_until when ${failing} then h.paused_until end,
      cause = case when ${told} then excluded.cause when ${failing} then h.cause end,
      detail = case when ${told} then excluded.detail when ${failing} then h.detail end`.execute(db)
}
