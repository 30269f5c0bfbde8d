import type { TargetTimes } from '@instep/contract/provisioning.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'

/** Bucket n of a histogram holds times from GROWTH^n to GROWTH^(n+1) milliseconds: a figure is right to about 5 %. */
const GROWTH = 1.1
const DAYS = 28
/** The pace is that of the last minutes. */
const PACE_MINUTES = 5

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/**
 * Parts of the statement that writes answers down, over its relation `recorded`: how long each account took that is in step now because
 * something was done at the target, and how many accounts left the backlog. Both ends of a time are the database's own clock, so that the clocks of
 * several servers need not agree.
 */
export const figuresOf = ({ tenantId, targetId, now }: TargetKey & { readonly now: Date }) => {
  const day = sql`${dayOf(now)}::date`
  const minute = sql`date_trunc('minute', ${now}::timestamptz)`
  return sql`
    timed as (
      insert into target_times as t (tenant_id, target_id, kind, slot, bucket, day, count)
      select ${tenantId}::uuid, ${targetId}::uuid, k.kind, (${day} - date '2000-01-01') % ${sql.lit(DAYS)}, b.bucket, ${day}, count(*)
      from recorded r
      cross join lateral (values
        ('inStep', true), ('revoke', r.was_active and r.event_type in ('target.account.disabled', 'target.account.deleted'))
      ) k (kind, counts)
      cross join lateral (
        select floor(ln(greatest(extract(epoch from clock_timestamp() - r.marked_at) * 1000, 1)) / ln(${sql.lit(GROWTH)}))::smallint as bucket
      ) b
      where r.state = 'inStep' and r.event_type is not null and k.counts
      group by k.kind, b.bucket
      order by k.kind, b.bucket
      on conflict (tenant_id, target_id, kind, slot, bucket) do update set
        count = case when t.day = excluded.day then t.count + excluded.count else excluded.count end, day = excluded.day
    ), paced as (
      insert into target_pace as p (tenant_id, target_id, slot, minute, count)
      select ${tenantId}::uuid, ${targetId}::uuid, extract(minute from ${minute} at time zone 'UTC')::smallint, ${minute}, count(*)
      from recorded r where r.state in ('inStep', 'quarantined')
      having count(*) > 0
      on conflict (tenant_id, target_id, slot) do update set
        count = case when p.minute = excluded.minute then p.count + excluded.count else excluded.count end, minute = excluded.minute
    )`
}

/** The middle of a bucket, in milliseconds. */
const middleOf = (bucket: number): number => Math.round(GROWTH ** (bucket + 0.5))

/** The time that a share of all accounts did not take longer than; null where there are none. Buckets in rising order. */
export const quantile = (buckets: readonly { readonly bucket: number; readonly count: number }[], share: number): number | null => {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  let passed = 0
  for (const { bucket, count } of buckets) {
    passed += count
    if (passed >= total * share) return middleOf(bucket)
  }
  return null
}

/** How long changes took to arrive in the last 28 days, the day of `now` (UTC) being one of them. */
export const targetTimes = async (db: Db, { tenantId, targetId, now }: TargetKey & { now: Date }): Promise<TargetTimes> => {
  const { rows } = await sql<{ kind: 'inStep' | 'revoke'; bucket: number; count: number }>`
    select kind, bucket::integer as bucket, sum(count)::integer as count
    from target_times
    where tenant_id = ${tenantId} and target_id = ${targetId} and day > ${dayOf(now)}::date - ${sql.lit(DAYS)} and day <= ${dayOf(now)}::date
    group by kind, bucket
    order by kind, bucket`.execute(db)
  const figures = (kind: 'inStep' | 'revoke') => {
    const buckets = rows.filter((row) => row.kind === kind)
    return {
      count: buckets.reduce((sum, { count }) => sum + count, 0),
      median: quantile(buckets, 0.5),
      p95: quantile(buckets, 0.95),
    }
  }
  return { inStep: figures('inStep'), revoke: figures('revoke') }
}

/** Accounts that left the backlog per minute, over the last five minutes or since the first of them; 0 where none did. */
export const targetPace = async (db: Db, { tenantId, targetId, now }: TargetKey & { now: Date }): Promise<number> => {
  const { rows } = await sql<{ done: number; since: Date | null }>`
    select coalesce(sum(count), 0)::integer as done, min(minute) as since
    from target_pace
    where tenant_id = ${tenantId} and target_id = ${targetId}
      and minute > ${now}::timestamptz - make_interval(mins => ${sql.lit(PACE_MINUTES)}) and minute <= ${now}`.execute(db)
  const [found] = rows
  if (!found?.since || found.done === 0) return 0
  const minutes = Math.max(1 / 6, (now.getTime() - found.since.getTime()) / 60_000)
  return found.done / minutes
}
