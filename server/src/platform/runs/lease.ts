import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { RunPatch, RunRow } from './run.ts'
import { assignments, runColumns } from './run-store.ts'

/** A lease lasts this long and is renewed well before; a worker that dies loses it by itself. */
export const LEASE_SECONDS = 10
export const RENEW_MILLISECONDS = 3000

/** Thrown (and the reason of the signal) when another worker may have taken the run over: whatever is not committed must not be. */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`the lease of run ${runId} is lost`)
    this.name = 'LeaseLost'
  }
}

/** The reason of the signal when an administrator has cancelled the run. */
export class RunCancelled extends Error {
  constructor(runId: string) {
    super(`run ${runId} was cancelled`)
    this.name = 'RunCancelled'
  }
}

/** Takes the oldest run of these kinds that waits or whose worker has died. The database's clock counts, because workers may be many. */
export const claimRun = async (db: Db, claim: { owner: string; kinds: readonly string[]; at: Date }): Promise<RunRow | undefined> => {
  const { rows } = await sql<RunRow>`
    update runs as r
    set state = 'running', lease_owner = ${claim.owner}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS}),
      started_at = coalesce(r.started_at, ${claim.at}), version = r.version + 1
    where (r.tenant_id, r.id) = (
      select tenant_id, id from runs
      where state in ('queued', 'running') and (leased_until is null or leased_until < now()) and kind = any (${claim.kinds as string[]})
      order by id limit 1 for update skip locked
    )
    returning ${runColumns}`.execute(db)
  return rows[0]
}

interface Holder {
  readonly run: Pick<RunRow, 'tenantId' | 'id'>
  readonly owner: string
}

/** Prolongs a lease; undefined when it is no longer ours. */
export const renewLease = async (db: Db, { run, owner }: Holder): Promise<{ cancelRequested: boolean } | undefined> => {
  const { rows } = await sql<{ cancelRequested: boolean }>`
    update runs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where tenant_id = ${run.tenantId} and id = ${run.id} and lease_owner = ${owner}
    returning cancel_requested as "cancelRequested"`.execute(db)
  return rows[0]
}

/** Changes a run under its lease, in the transaction of the work that the change tells of. Throws `LeaseLost`. */
export const patchLeased = async (tx: Db | Tx, { run, owner }: Holder, patch: RunPatch): Promise<{ cancelRequested: boolean }> => {
  const { rows } = await sql<{ cancelRequested: boolean }>`
    update runs set ${assignments(patch)}
    where tenant_id = ${run.tenantId} and id = ${run.id} and lease_owner = ${owner}
    returning cancel_requested as "cancelRequested"`.execute(tx)
  const [row] = rows
  if (!row) throw new LeaseLost(run.id)
  return row
}

/** Gives a run back, to be taken again after `seconds`. */
export const returnRun = async (db: Db, { run, owner }: Holder, seconds: number): Promise<void> => {
  await sql`
    update runs set lease_owner = null, leased_until = now() + make_interval(secs => ${seconds})
    where tenant_id = ${run.tenantId} and id = ${run.id} and lease_owner = ${owner}`.execute(db)
}

/** Ends every lease: for the embedded database at start, where one process is all there is and the last one is dead. */
export const releaseAllLeases = async (db: Db): Promise<void> => {
  await sql`update runs set lease_owner = null, leased_until = null where leased_until is not null`.execute(db)
}
