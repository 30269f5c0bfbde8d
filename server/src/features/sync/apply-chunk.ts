import { type RawBuilder, sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { numberedId } from '../../platform/db/numbered-id.ts'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { learnValues } from '../lookups/public.ts'
import { markPending } from '../provisioning/public.ts'
import { claimExternalIds, createUsers, updateUsers } from '../users/public.ts'
import { spareProtected } from './protected-people.store.ts'
import { runActor } from './run-event.ts'

/** Rows `from` to `to` of a plan, both included. */
export interface Chunk {
  readonly run: RunRow
  readonly connectorId: string
  /** The version of the configuration that brought the mapping in use. */
  readonly mappingVersion: number
  /** The run that this one takes back. */
  readonly undoes: string | undefined
  readonly from: number
  readonly to: number
  readonly at: Date
}

const rowsOf = ({ run, from, to }: Chunk, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  p.tenant_id = ${run.tenantId} and p.run_id = ${run.id} and p.seq between ${from} and ${to} and ${rows}`

// who starts later is either new or was here before
const CREATIONS = sql`(p.kind = 'create' or p.kind = 'future' and p.user_version is null)`
const CHANGES = sql`(p.kind in ('update', 'reactivate', 'deactivate', 'leave') or p.kind = 'future' and p.user_version is not null)`
const DONE = sql`p.kind in ('create', 'update', 'reactivate', 'deactivate', 'leave', 'future')`

/** Locks the people whom the chunk changes, and marks the rows whose person moved on since the plan, is locked, or is gone. */
const markStaleChanges = async (tx: Tx, chunk: Chunk): Promise<number> => {
  const result = await sql`
    with people as (
      select u.id, u.version, u.locked from users u
      where u.tenant_id = ${chunk.run.tenantId} and u.id in (select p.user_id from plan_rows p where ${rowsOf(chunk, CHANGES)})
      order by u.id for update
    )
    update plan_rows p set stale = true
    where ${rowsOf(chunk, CHANGES)}
      and (p.user_id, p.user_version) not in (select id, version from people where not locked)`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/** Marks the rows whose person would be given an external id that somebody else has by now; it changes only where a record found its person anew. */
const markTakenIds = async (tx: Tx, chunk: Chunk): Promise<number> => {
  const { run, connectorId } = chunk
  const renamed = sql`${rowsOf(chunk, CHANGES)} and p.after ? 'externalId' and not p.stale`
  const { rows } = await sql`select from plan_rows p where ${renamed} limit 1`.execute(tx)
  if (rows.length === 0) return 0
  const where = { tenantId: run.tenantId, connectorId }
  const free = await claimExternalIds(tx, where, sql`select p.user_id, p.after as doc from plan_rows p where ${renamed}`)
  const result = await sql`
    update plan_rows p set stale = true
    where ${renamed} and (
      p.user_id not in (select f.user_id from (${free}) f)
      or exists (
        select from users o
        where o.tenant_id = p.tenant_id and o.connector_id = ${connectorId} and o.external_id = p.after ->> 'externalId' and o.id <> p.user_id
      )
    )`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/** Marks the creations that were left out, because somebody has taken the external id since the plan, here or in another connector. */
const markStaleCreations = async (tx: Tx, chunk: Chunk): Promise<number> => {
  const result = await sql`
    update plan_rows p set stale = true
    where ${rowsOf(chunk, CREATIONS)}
      and not exists (select from users u where u.tenant_id = p.tenant_id and u.id = p.user_id)`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

const create = async (tx: Tx, chunk: Chunk, expected: number): Promise<number> => {
  if (expected === 0) return 0
  const { run, connectorId, at } = chunk
  const { tenantId } = run
  const planned = sql`select p.user_id, p.after as doc from plan_rows p where ${rowsOf(chunk, CREATIONS)}`
  const rows = await claimExternalIds(tx, { tenantId, connectorId }, planned)
  const created = await createUsers(tx, { tenantId, connectorId, at, rows })
  const stale = created < expected ? await markStaleCreations(tx, chunk) : 0
  return stale
}

const change = async (tx: Tx, chunk: Chunk, expected: number): Promise<number> => {
  if (expected === 0) return 0
  const { run, at } = chunk
  const moved = await markStaleChanges(tx, chunk)
  const spared = await spareProtected(tx, { ...chunk, tenantId: run.tenantId, runId: run.id })
  const stale = moved + spared + (await markTakenIds(tx, chunk))
  const rows = sql`
    select p.user_id, p.user_version, p.after as patch from plan_rows p where ${rowsOf(chunk, CHANGES)} and not p.stale`
  await updateUsers(tx, { tenantId: run.tenantId, at, rows, runId: run.id, undoes: chunk.undoes })
  return stale
}

/** Remembers who the records are and what they said. An upsert, because it goes by the key whatever the planner thinks of a table just filled. */
const rememberLinks = async (tx: Tx, chunk: Chunk): Promise<void> => {
  // whoever was found under another key is that record from now on
  await sql`
    delete from source_links l using plan_rows p
    where ${rowsOf(chunk, CHANGES)} and not p.stale and l.tenant_id = p.tenant_id and l.user_id = p.user_id and l.source_key <> p.source_key`.execute(
    tx,
  )
  await sql`
    insert into source_links as l (tenant_id, connector_id, source_key, user_id, record_hash, config_version, missing_since, left_scope)
    select p.tenant_id, ${chunk.connectorId}::uuid, p.source_key, p.user_id, coalesce(p.record_hash, ''), ${chunk.mappingVersion}::integer,
      -- only of who left there is no record
      case when p.record_hash is null then ${chunk.at}::timestamptz end,
      p.record_hash is null and p.row_number is not null
    from plan_rows p where ${rowsOf(chunk, DONE)} and not p.stale
    on conflict (tenant_id, connector_id, source_key) do update set
      record_hash = case when excluded.missing_since is null then excluded.record_hash else l.record_hash end,
      config_version = case when excluded.missing_since is null then excluded.config_version else l.config_version end,
      missing_since = excluded.missing_since,
      left_scope = excluded.left_scope
    where l.user_id = excluded.user_id`.execute(tx)
}

/**
 * Forgets what the records of people said whose changes were taken back, so that the next run reads them anew and plans what the source still says.
 * Whoever has left by what their base says now counts as missing, and nobody else does: dates act on people whom the source keeps.
 */
const forgetLinks = async (tx: Tx, chunk: Chunk): Promise<void> => {
  await sql`
    update source_links l set record_hash = '',
      missing_since = case
        when (select u.employment_state from users u where u.tenant_id = l.tenant_id and u.id = l.user_id) = 'left'
          then coalesce(l.missing_since, ${chunk.at}::timestamptz)
      end
    from plan_rows p
    where ${rowsOf(chunk, DONE)} and not p.stale and l.tenant_id = p.tenant_id and l.user_id = p.user_id`.execute(tx)
}

/** One event a person, with ids that keep the plan's order. */
const recordPersonEvents = async (tx: Tx, chunk: Chunk): Promise<void> => {
  const { run, connectorId, at } = chunk
  const actor: EventActor = runActor(run)
  await sql`
    insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data, before, after)
    select p.tenant_id, ${numberedId(at, sql`p.seq`)},
      ${at}::timestamptz, 'user',
      case when ${CREATIONS} then 'user.created' when p.kind = 'reactivate' then 'user.reactivated'
        when p.kind = 'deactivate' or p.before ->> 'active' = 'true' then 'user.deactivated' else 'user.updated' end,
      ${run.correlationId}, ${JSON.stringify(actor)}::jsonb, p.user_id, ${connectorId}::uuid,
      jsonb_build_object('runId', ${run.id}::text, 'row', p.row_number, 'version',
        (select u.version from users u where u.tenant_id = p.tenant_id and u.id = p.user_id))
        || ${JSON.stringify(chunk.undoes ? { undoes: chunk.undoes } : {})}::jsonb,
      case when not ${CREATIONS} then p.before end, case when not ${CREATIONS} then p.after end
    from plan_rows p where ${rowsOf(chunk, DONE)} and not p.stale`.execute(tx)
}

/** People whose effective values the chunk changed; the others owe the targets nothing. */
const markTargets = async (tx: Tx, chunk: Chunk): Promise<void> => {
  const { run } = chunk
  await markPending(tx, {
    tenantId: run.tenantId,
    correlationId: run.correlationId,
    // who let a held run pass has seen who leaves
    removalsApproved: run.held !== null && run.decidedBy !== null,
    users: sql`
      select p.user_id from plan_rows p
      where ${rowsOf(chunk, DONE)} and not p.stale and (
        ${CREATIONS}
        or exists (select from users u where u.tenant_id = p.tenant_id and u.id = p.user_id and u.version > p.user_version)
      )`,
  })
}

/** Carries out one chunk of a plan in the caller's transaction: people, links, events and what the targets owe, one statement a table. */
export const applyChunk = async (tx: Tx, chunk: Chunk): Promise<{ applied: number; stale: number }> => {
  await keepSitesOpen(tx, chunk.run.tenantId)
  const { rows } = await sql<{ all: number; creations: number }>`
    select count(*)::integer as all, count(*) filter (where ${CREATIONS})::integer as creations
    from plan_rows p where ${rowsOf(chunk, DONE)}`.execute(tx)
  const { all = 0, creations = 0 } = rows[0] ?? {}
  if (all === 0) return { applied: 0, stale: 0 }
  const stale = (await change(tx, chunk, all - creations)) + (await create(tx, chunk, creations))
  await (chunk.undoes ? forgetLinks(tx, chunk) : rememberLinks(tx, chunk))
  await recordPersonEvents(tx, chunk)
  const { run, at } = chunk
  const users = sql`select p.user_id from plan_rows p where ${rowsOf(chunk, DONE)} and not p.stale`
  await learnValues(tx, { tenantId: run.tenantId, users, origin: 'sync', at })
  await markTargets(tx, chunk)
  return { applied: all - stale, stale }
}
