import type { Count } from '@instep/contract/page.ts'
import type { OpenReference, ReportingCycle } from '@instep/contract/reporting-lines.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { findCycles } from './reporting-cycles.rules.ts'

/** People who were written: what they say of their managers may have changed, and whom others mean by theirs. */
interface Written {
  readonly tenantId: string
  readonly users: readonly string[]
  /** What those among them who are named otherwise now were named by. */
  readonly formerKeys: readonly string[]
}

const listed = (users: readonly string[]) => sql`select unnest(${[...users]}::uuid[])`

/** Whether there is anything to look at, so that directories without managers pay for none. */
const concerns = async (tx: Tx, { tenantId, users }: Written): Promise<boolean> => {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from manager_references r where r.tenant_id = ${tenantId})
      or exists (select from users u where u.tenant_id = ${tenantId} and u.id in (${listed(users)}) and u.manager is not null) as any`.execute(
    tx,
  )
  return rows[0]?.any ?? false
}

/** Keeps what people say of their managers. */
const keepReferences = async (tx: Tx, { tenantId, users }: Written): Promise<void> => {
  await sql`
    delete from manager_references r using users u
    where r.tenant_id = ${tenantId} and r.user_id in (${listed(users)}) and u.tenant_id = r.tenant_id and u.id = r.user_id and u.manager is null`.execute(
    tx,
  )
  await sql`
    insert into manager_references as r (tenant_id, user_id, connector_id, value, reference_type)
    select u.tenant_id, u.id, u.connector_id, u.manager, u.manager_reference_type
    from users u where u.tenant_id = ${tenantId} and u.id in (${listed(users)}) and u.manager is not null
    on conflict (tenant_id, user_id) do update set
      connector_id = excluded.connector_id, value = excluded.value, reference_type = excluded.reference_type
    where (r.connector_id, r.value, r.reference_type) is distinct from (excluded.connector_id, excluded.value, excluded.reference_type)`.execute(
    tx,
  )
}

/**
 * Everybody whom a reference `r` could mean, by rank: in its own connector first, then in the tenant; there by external id, then employee id, then
 * work e-mail. How the reference is to be read leaves out one or the other. Each branch goes by its index, of which that of the address is matching's.
 */
const candidates = sql`
  select m.id, case when m.connector_id = r.connector_id then 1 else 4 end as rank
  from users m where m.tenant_id = r.tenant_id and m.external_id = r.value and r.reference_type is distinct from 'email'
  union all
  select m.id, case when m.connector_id = r.connector_id then 2 else 5 end
  from users m where m.tenant_id = r.tenant_id and m.employee_number = r.value and r.reference_type is distinct from 'email'
  union all
  select m.id, case when m.connector_id = r.connector_id then 3 else 6 end
  from users m where m.tenant_id = r.tenant_id and m.work_email is not null and match_text(m.work_email) = match_text(r.value)
    and r.reference_type is distinct from 'externalId'`

/** Looks up the given references, a relation with a column `user_id`; one of several is never guessed. Writes only what is found to be different. */
const resolve = async (tx: Tx, tenantId: string, references: RawBuilder<unknown>): Promise<void> => {
  await sql`
    with found as (
      select r.user_id, f.candidates, f.id
      from manager_references r
      cross join lateral (
        select count(*)::integer as candidates, case when count(*) = 1 then min(b.id::text)::uuid end as id
        from (select distinct on_rank.id from (
          select c.id, c.rank, min(c.rank) over () as best from (${candidates}) c
        ) on_rank where on_rank.rank = on_rank.best) b
      ) f
      where r.tenant_id = ${tenantId} and r.user_id in (${references})
    )
    update manager_references r set manager_id = f.id, candidates = f.candidates
    from found f
    where r.tenant_id = ${tenantId} and r.user_id = f.user_id and (r.manager_id, r.candidates) is distinct from (f.id, f.candidates)`.execute(
    tx,
  )
}

/** Of two transactions that write a manager and a report, neither sees the other's person: so the second waits for the first. */
const lock = (tx: Tx, tenantId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`reporting lines ${tenantId}`}, 0))`.execute(tx)

/**
 * Brings in step who reports to whom, in the transaction that wrote the given people: their own references, those that mean one of them now, and
 * those that meant one of them before. Costs what changed, whatever arrives first. No value and no version of a person changes.
 */
export const keepReportingLines = async (tx: Tx, written: Written): Promise<void> => {
  if (!(await concerns(tx, written))) return
  const { tenantId, users, formerKeys } = written
  await lock(tx, tenantId)
  await keepReferences(tx, written)
  await resolve(
    tx,
    tenantId,
    sql`
      select r.user_id from manager_references r where r.tenant_id = ${tenantId} and r.user_id in (${listed(users)})
      union
      select r.user_id from manager_references r where r.tenant_id = ${tenantId} and r.manager_id in (${listed(users)})
      union
      select named.user_id
      from (
        select lower(k.value) as key
        from users u cross join lateral (values (u.external_id collate "default"), (u.employee_number), (u.work_email)) k (value)
        where u.tenant_id = ${tenantId} and u.id in (${listed(users)}) and k.value is not null
        union
        select lower(former) from unnest(${[...formerKeys]}::text[]) former
      ) k
      cross join lateral (
        -- looked up key by key, whatever the planner thinks of a table just filled
        select r.user_id from manager_references r where r.tenant_id = ${tenantId} and r.value_key = k.key collate "C" offset 0
      ) named`,
  )
}

/** References of one transaction. */
const BATCH = 1000

/** Looks up references that nobody has looked at: those of a database that is older than they are. Answers how many there were. */
export const resolveNewReferences = async (db: Db): Promise<number> => {
  let resolved = 0
  for (;;) {
    const { rows } = await sql<{ tenant_id: string; users: string[] }>`
      select tenant_id, array_agg(user_id) as users
      from (select tenant_id, user_id from manager_references where candidates is null order by tenant_id, user_id limit ${BATCH}) r
      group by tenant_id`.execute(db)
    for (const { tenant_id, users } of rows) {
      await db.transaction().execute(async (tx) => {
        await lock(tx, tenant_id)
        await resolve(tx, tenant_id, listed(users))
      })
      resolved += users.length
    }
    if (rows.length === 0) return resolved
  }
}

/** People of a connector whose manager is not known, in the order of their ids. */
export const openReferences = async (
  db: Db,
  { tenantId, connectorId, after, limit }: { tenantId: string; connectorId: string; after: string | undefined; limit: number },
): Promise<OpenReference[]> => {
  const { rows } = await sql<OpenReference>`
    select r.user_id as "userId", u.display_name as "displayName", coalesce(u.employee_number, u.external_id) as "employeeId",
      r.value as manager, case when r.candidates > 1 then 'ambiguous' else 'notFound' end as why
    from manager_references r join users u on u.tenant_id = r.tenant_id and u.id = r.user_id
    where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId} and r.manager_id is null
      ${after ? sql`and r.user_id > ${after}` : sql``}
    order by r.user_id limit ${limit}`.execute(db)
  return rows
}

const COUNTED = 10_000

/** How many they are; exact up to 10,000. */
export const countOpenReferences = async (db: Db, { tenantId, connectorId }: { tenantId: string; connectorId: string }): Promise<Count> => {
  const { rows } = await sql<{ value: number }>`
    select count(*)::integer as value from (
      select from manager_references r
      where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId} and r.manager_id is null limit ${COUNTED + 1}
    ) counted`.execute(db)
  const value = rows[0]?.value ?? 0
  return { value: Math.min(value, COUNTED), exact: value <= COUNTED }
}

/** The circles among the managers above the given people (a relation with a column `user_id`), with names. Reads managers only, because nobody else can stand in one. */
export const reportingCycles = async (
  db: Db | Tx,
  { tenantId, users }: { tenantId: string; users: RawBuilder<unknown> },
): Promise<ReportingCycle[]> => {
  const { rows } = await sql<{ id: string; manager: string }>`
    with recursive above (id) as (
      select r.manager_id from manager_references r where r.tenant_id = ${tenantId} and r.user_id in (${users}) and r.manager_id is not null
      union
      select r.manager_id from above a join manager_references r on r.tenant_id = ${tenantId} and r.user_id = a.id
      where r.manager_id is not null
    )
    select r.user_id as id, r.manager_id as manager
    from above a join manager_references r on r.tenant_id = ${tenantId} and r.user_id = a.id where r.manager_id is not null`.execute(db)
  const cycles = findCycles(new Map(rows.map(({ id, manager }) => [id, manager])))
  const named = await sql<{ id: string; name: string }>`
    select id, display_name as name from users where tenant_id = ${tenantId} and id = any (${cycles.flat()}::uuid[])`.execute(db)
  const names = new Map(named.rows.map(({ id, name }) => [id, name]))
  return cycles.map((cycle) => cycle.map((id) => ({ id, name: names.get(id) ?? '' })))
}
