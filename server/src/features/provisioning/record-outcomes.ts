import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { WantedAccount } from './account.rules.ts'
import { isTakenAccount, type LeasedAccount, rowsOf, type TargetKey } from './account.store.ts'
import type { Deed, Outcome } from './carry-out.ts'
import type { Standing } from './failure.rules.ts'
import type { Removal } from './leaver.rules.ts'
import { figuresOf } from './target-figures.ts'

/** One answer of a target, ready to be written down. */
export interface Answer {
  readonly row: LeasedAccount
  readonly displayName: string
  /** The person's version that the document was made of. */
  readonly version: number
  readonly wanted: WantedAccount
  readonly outcome: Exclude<Outcome, { kind: 'abandoned' }>
  /** What becomes of the row after a failure; null after a success. */
  readonly standing: Standing | null
  /** How far the account is removed now; null: it is not. */
  readonly removal: Removal | null
  /** When an account that was disabled is to be deleted. */
  readonly deleteAt: Date | null
  /** Documents name the manager's account: a change here is one for the reports. */
  readonly namesManagers: boolean
}

export interface Recording extends TargetKey {
  readonly targetName: string
  readonly now: Date
  /** The correlation id of rows that were marked without one. */
  readonly correlationId: string
}

const EVENT_OF: Readonly<Record<Deed, string | null>> = {
  none: null,
  created: 'target.account.created',
  linked: 'target.account.linked',
  updated: 'target.account.updated',
  disabled: 'target.account.disabled',
  deleted: 'target.account.deleted',
  unlinked: 'target.account.unlinked',
}

/**
 * Writes answers and their events in one statement. An answer counts only while its lease is held; a row that was marked again meanwhile
 * keeps what the target confirmed and stays pending. An account that turns out to be another person's becomes a failure of that one row.
 *
 * @returns how many answers were written
 */
export const recordOutcomes = async (db: Db, recording: Recording, answers: readonly Answer[]): Promise<number> => {
  try {
    return await write(db, recording, answers)
  } catch (error) {
    if (!isTakenAccount(error)) throw error
    const [only, ...others] = answers
    if (only && others.length === 0) return write(db, recording, [asTaken(only, recording.now)])
    const middle = answers.length >> 1
    return (await recordOutcomes(db, recording, answers.slice(0, middle))) + (await recordOutcomes(db, recording, answers.slice(middle)))
  }
}

const asTaken = (answer: Answer, now: Date): Answer => ({
  ...answer,
  outcome: {
    kind: 'failed',
    failure: {
      code: 'TARGET_TAKEN',
      detail: 'the account belongs to another person with the same key',
      retryable: false,
      retryAfterSeconds: undefined,
    },
    uncertain: false,
    sent: null,
  },
  standing: { state: 'quarantined', attempts: answer.row.attempts + 1, nextTryAt: now },
})

/** A failure is told once for each cause, and when the account is given up; a target that does not work is not told person by person. */
const failureEvent = (standing: Standing, isNew: boolean): string | null => {
  if (standing.state === 'quarantined') return 'target.account.quarantined'
  return standing.state === 'failed' && isNew ? 'target.account.failed' : null
}

/** The answer as one row of the statement; `writes` says that what the target confirmed replaces what was known. */
const rowOf = (
  { row, displayName, version, wanted, outcome, standing, deleteAt, removal }: Answer,
  { now, targetName, correlationId }: Recording,
) => {
  const common = {
    user_id: row.userId,
    lease: row.lease,
    revision: row.revision,
    correlation_id: row.correlationId ?? correlationId,
    event_id: uuidv7(now.getTime()),
    // whoever is active, and whatever is not ours any more, loses nothing
    removal: outcome.kind === 'applied' ? removal : null,
    restored: outcome.kind !== 'failed' && (wanted.active || (outcome.kind === 'applied' && outcome.deed === 'unlinked')),
  }
  if (outcome.kind === 'kept') {
    const { state, cause, nextTryAt = null } = outcome
    return {
      ...common,
      state,
      cause,
      next_try_at: nextTryAt,
      attempts: 0,
      uncertain: row.uncertain,
      writes: false,
      version,
      event_type: null,
    }
  }
  if (outcome.kind === 'failed') {
    const { code, detail } = outcome.failure
    return {
      ...common,
      state: standing?.state ?? 'failed',
      attempts: standing?.attempts ?? row.attempts,
      next_try_at: standing?.nextTryAt ?? now,
      cause: code,
      last_error: detail,
      uncertain: outcome.uncertain,
      writes: false,
      document: outcome.sent,
      event_type: standing && failureEvent(standing, row.cause !== code),
      data: { user: displayName, target: targetName, cause: code, detail },
    }
  }
  const writes = outcome.deed !== 'none' || outcome.remoteId === null
  return {
    ...common,
    state: deleteAt && outcome.remoteId !== null ? 'leaving' : 'inStep',
    next_try_at: outcome.remoteId === null ? null : deleteAt,
    attempts: 0,
    uncertain: false,
    writes,
    remote_id: outcome.remoteId,
    etag: outcome.etag,
    document: writes ? outcome.document : null,
    hash: outcome.remoteId === null ? null : wanted.hash,
    version,
    event_type: EVENT_OF[outcome.deed],
    data: { user: displayName, target: targetName },
  }
}

const ACTOR = JSON.stringify({ kind: 'system', id: null, name: 'Instep' })

const write = (db: Db, recording: Recording, answers: readonly Answer[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const reports = await lockReports(tx, recording, answers)
    // on a table that was filled a moment ago the planner expects one row and would compare every answer with every row
    await sql`set local enable_nestloop = off`.execute(tx)
    const count = await writeIn(tx, recording, answers)
    await wakeReports(tx, recording, reports)
    return count
  })

/** Whether other accounts may name this one, and do not know it as it is now. An account that was linked before a worker died is new to them, too. */
const changes = ({ row, outcome, namesManagers }: Answer): boolean =>
  namesManagers && outcome.kind === 'applied' && (outcome.deed !== 'none' || outcome.remoteId !== row.remoteId || row.uncertain)

interface Report {
  readonly userId: string
}

/**
 * The people who report to somebody whose account appeared or changed. Their rows and those of the answers are locked together, in the order in which
 * everybody takes them.
 */
const lockReports = async (tx: Tx, recording: Recording, answers: readonly Answer[]): Promise<readonly Report[]> => {
  const managers = answers.filter(changes).map(({ row }) => row.userId)
  if (managers.length === 0) return []
  const { rows } = await sql<Report>`
    select user_id as "userId" from provisioning_managers
    where tenant_id = ${recording.tenantId} and manager_id = any(${managers}::uuid[])`.execute(tx)
  if (rows.length === 0) return []
  const all = [...rows, ...answers.map(({ row }) => row)]
  await sql`select from target_accounts a where ${rowsOf(recording, all)} order by a.user_id for update`.execute(tx)
  return rows
}

const wakeReports = async (tx: Tx, recording: Recording, reports: readonly Report[]): Promise<void> => {
  if (reports.length === 0) return
  await sql`
    update target_accounts a set state = 'pending', revision = a.revision + 1, attempts = 0, next_try_at = '-infinity', cause = null, last_error = null
    where ${rowsOf(recording, reports)} and a.state <> 'quarantined'`.execute(tx)
}

const writeIn = async (tx: Tx, recording: Recording, answers: readonly Answer[]): Promise<number> => {
  const { tenantId, targetId, now } = recording
  const given = JSON.stringify(answers.map((answer) => rowOf(answer, recording)))
  const named = rowsOf(
    recording,
    answers.map(({ row }) => row),
  )
  const { rows } = await sql<{ count: number }>`
    with given as materialized (
      select * from json_to_recordset(${given}::json) as g (
        user_id uuid, lease uuid, revision integer, correlation_id text, event_id uuid, state text, attempts integer,
        next_try_at timestamptz, cause text, last_error text, uncertain boolean, writes boolean, remote_id text, etag text,
        document jsonb, hash text, version integer, event_type text, data jsonb,
        restored boolean, removal text
      )
    ), held as materialized (
      select a.user_id, coalesce(a.applied_document ->> 'active', 'true') = 'true' as was_active
      from target_accounts a join given g on g.user_id = a.user_id and g.lease = a.lease_owner
      where ${named}
      order by a.user_id
      for update of a
    ), recorded as (
      update target_accounts a set
        state = case when a.revision = g.revision then g.state else 'pending' end,
        attempts = case when a.revision = g.revision then g.attempts else a.attempts end,
        next_try_at = case when a.revision = g.revision then coalesce(g.next_try_at, '-infinity') else a.next_try_at end,
        cause = case when a.revision = g.revision then g.cause end,
        last_error = case when a.revision = g.revision then g.last_error end,
        uncertain = g.uncertain,
        remote_id = case when g.writes then g.remote_id else a.remote_id end,
        etag = case when g.writes then g.etag else a.etag end,
        applied_document = case when g.writes then g.document else coalesce(g.document, a.applied_document) end,
        applied_hash = case when g.writes then decode(g.hash, 'hex') else a.applied_hash end,
        applied_at = case when g.event_type is not null and g.writes then ${now} else a.applied_at end,
        user_version = coalesce(g.version, a.user_version),
        removal = case when g.restored and a.revision = g.revision then null else coalesce(g.removal, a.removal) end,
        removal_at = case when g.restored and a.revision = g.revision then null else a.removal_at end,
        lease_owner = null, leased_until = null
      from held h join given g on g.user_id = h.user_id
      where ${named} and a.user_id = h.user_id
      returning g.event_id, g.event_type, g.correlation_id, g.data, a.user_id, a.state, a.marked_at, h.was_active
    ), ${figuresOf(recording)}, told as (
      insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data)
      select ${tenantId}, event_id, ${now}, 'user', event_type, correlation_id, ${ACTOR}::jsonb, user_id, ${targetId}, data
      from recorded where event_type is not null
    )
    select count(*)::integer as count from recorded`.execute(tx)
  return rows[0]?.count ?? 0
}
