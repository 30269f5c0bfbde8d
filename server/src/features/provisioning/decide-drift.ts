import type { AccountDocument } from '@instep/connectors/kit/target.ts'
import { DECISIONS_OF, type DriftChange, type DriftDecision, type DriftKind, MOST_DECIDED } from '@instep/contract/drift.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { pathOf, withAccepted } from './accepted.rules.ts'
import { addAccepted, writeApplied } from './accepted.store.ts'
import { isTakenAccount } from './account.store.ts'
import { type DriftKey, isMissing } from './drift.store.ts'
import { markPending } from './mark-pending.ts'
import { putBack } from './put-back.ts'

export interface Decision {
  readonly decision: DriftDecision
  readonly kind: DriftKind
  readonly sequences: readonly number[] | undefined
  readonly userId: string | undefined
  readonly target: string
  readonly by: EventActor
  readonly correlationId: string
}

interface Chosen {
  readonly sequence: number
  readonly remoteId: string
  readonly userId: string | null
}

interface Act {
  readonly key: DriftKey
  readonly chosen: readonly Chosen[]
  readonly decision: Decision
  readonly at: Date
}

const STATE_OF = { accept: 'accepted', putBack: 'putBack', link: 'linked', ignore: 'ignored' } as const

const choose = async (tx: Tx, { tenantId, runId }: DriftKey, { kind, sequences }: Decision): Promise<Chosen[]> => {
  const { rows } = await sql<Chosen>`
    select sequence, remote_id as "remoteId", user_id as "userId" from drift_findings
    where tenant_id = ${tenantId} and run_id = ${runId} and kind = ${kind} and state = 'open'
      and (${sequences === undefined} or sequence = any(${sequences ?? []}::integer[]))
    order by sequence limit ${MOST_DECIDED}
    for update`.execute(tx)
  return rows
}

/** The accounts of some findings as a relation. */
const accountsOf = (chosen: readonly Chosen[]) => sql`
  select * from unnest(${chosen.map(({ userId }) => userId)}::uuid[], ${chosen.map(({ remoteId }) => remoteId)}::text[]) g (user_id, remote_id)`

interface Acceptable {
  readonly sequence: number
  readonly userId: string
  readonly kind: DriftKind
  readonly changes: readonly DriftChange[]
  readonly found: AccountDocument | null
  readonly applied: AccountDocument | null
}

/**
 * What is there counts as what is to be, value by value, until either side has another one; nothing is written, and the next read-back finds no
 * difference. An account that is missing is not made again. What has been marked or written meanwhile is left alone.
 */
const accept = async (tx: Tx, { key, chosen, decision, at }: Act): Promise<number[]> => {
  const { rows } = await sql<Acceptable>`
    select f.sequence, f.user_id as "userId", f.kind, f.changes, f.found, a.applied_document as applied
    from target_accounts a, drift_findings f join runs r on r.tenant_id = f.tenant_id and r.id = f.run_id
    where f.tenant_id = ${key.tenantId} and f.run_id = ${key.runId} and f.sequence = any(${chosen.map(({ sequence }) => sequence)}::integer[])
      and a.tenant_id = f.tenant_id and a.target_id = ${key.targetId} and a.user_id = f.user_id and a.remote_id = f.remote_id
      and a.state = 'inStep' and a.lease_owner is null and coalesce(a.applied_at, '-infinity') < r.created_at
    order by a.user_id
    for update of a`.execute(tx)
  const agreed = rows.map(({ userId, kind, changes, found, applied }) => {
    if (kind === 'missing') return { userId, document: null, accepted: [{ userId, path: [], ours: null, theirs: null }] }
    const documents = [applied ?? {}, found ?? {}]
    const accepted = changes.map((change) => ({
      userId,
      path: pathOf(change.attribute, documents),
      ours: change.applied,
      theirs: change.found,
    }))
    return { userId, document: withAccepted(applied ?? {}, accepted), accepted }
  })
  await addAccepted(tx, key, { accepted: agreed.flatMap(({ accepted }) => accepted), by: decision.by, at })
  await writeApplied(tx, key, { applied: agreed, at })
  return rows.map(({ sequence }) => sequence)
}

const restore = async (tx: Tx, { key, chosen, decision }: Act): Promise<number[]> => {
  const people = new Set(await putBack(tx, { ...key, accounts: accountsOf(chosen), correlationId: decision.correlationId }))
  return chosen.filter(({ userId }) => userId !== null && people.has(userId)).map(({ sequence }) => sequence)
}

const ignore = async (tx: Tx, { key, chosen, decision, at }: Act): Promise<number[]> => {
  await sql`
    insert into drift_ignored (tenant_id, target_id, remote_id, by, at)
    select ${key.tenantId}, ${key.targetId}, id, ${JSON.stringify(decision.by)}, ${at}
    from unnest(${chosen.map(({ remoteId }) => remoteId)}::text[]) id
    on conflict do nothing`.execute(tx)
  return chosen.map(({ sequence }) => sequence)
}

/**
 * The account is the person's from now on, in place of one that the run found missing, and a worker reads it back before it writes. Throws `NOT_FOUND`,
 * `ACCOUNT_LINKED`.
 */
const link = async (tx: Tx, { key, chosen, decision }: Act): Promise<number[]> => {
  const { tenantId, targetId } = key
  const { userId = '', correlationId } = decision
  const [account] = chosen
  if (!account) return []
  const person = await sql`select from provisioning_users where tenant_id = ${tenantId} and user_id = ${userId}`.execute(tx)
  if (person.rows.length === 0) throw problem('NOT_FOUND')
  await markPending(tx, { tenantId, users: sql`select ${userId}::uuid as user_id`, correlationId })
  try {
    // a worker that is at this row is about to give the person an account
    const { numAffectedRows } = await sql`
      update target_accounts a set remote_id = ${account.remoteId}, uncertain = true
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = ${userId} and a.lease_owner is null
        and (a.remote_id is null or ${isMissing(key)})`.execute(tx)
    if (numAffectedRows !== 1n) throw problem('ACCOUNT_LINKED')
  } catch (error) {
    if (isTakenAccount(error)) throw problem('ACCOUNT_LINKED')
    throw error
  }
  const { rows } = await sql<{ sequence: number }>`
    select sequence from drift_findings
    where tenant_id = ${tenantId} and run_id = ${key.runId} and kind = 'missing' and state = 'open' and user_id = ${userId}`.execute(tx)
  return [account.sequence, ...rows.map(({ sequence }) => sequence)]
}

const ACTS = { accept, putBack: restore, ignore, link } satisfies Record<DriftDecision, (tx: Tx, act: Act) => Promise<number[]>>

const tell = async (tx: Tx, { key, chosen, decision, at }: Act, decided: ReadonlySet<number>): Promise<void> => {
  const common = { tenantId: key.tenantId, at, correlationId: decision.correlationId, actor: decision.by, connectorId: key.targetId }
  const { target } = decision
  const told = chosen.filter(({ sequence }) => decided.has(sequence))
  await recordEvents(tx, [
    {
      ...common,
      stream: 'directory',
      type: `drift.${STATE_OF[decision.decision]}`,
      subjectId: key.runId,
      data: { target, count: told.length, kind: decision.kind },
    },
    ...told.flatMap(({ userId, remoteId }) => {
      const subjectId = userId ?? decision.userId
      const type = `drift.account.${STATE_OF[decision.decision]}`
      return subjectId ? [{ ...common, stream: 'user' as const, type, subjectId, data: { target, account: remoteId } }] : []
    }),
  ])
}

/**
 * Decides undecided findings of one kind, by sequence or the next of them, in one transaction with its events. What has become something else since the
 * target was read, or does not suit the decision, stays undecided.
 */
export const decideDrift = async (
  { db, clock }: { db: Db; clock: Clock },
  key: DriftKey,
  decision: Decision,
): Promise<{ decided: number; remaining: number }> =>
  db.transaction().execute(async (tx) => {
    const at = clock.now()
    const suits = DECISIONS_OF[decision.kind].includes(decision.decision)
    const chosen = suits ? await choose(tx, key, decision) : []
    const act: Act = { key, chosen, decision, at }
    const decided = chosen.length > 0 ? await ACTS[decision.decision](tx, act) : []
    if (decided.length > 0) {
      await sql`
        update drift_findings set state = ${STATE_OF[decision.decision]}, decided_by = ${JSON.stringify(decision.by)}, decided_at = ${at},
          user_id = coalesce(user_id, ${decision.userId ?? null}::uuid)
        where tenant_id = ${key.tenantId} and run_id = ${key.runId} and sequence = any(${decided}::integer[])`.execute(tx)
      await tell(tx, act, new Set(decided))
    }
    const { rows } = await sql<{ remaining: number }>`
      select count(*)::integer as remaining from drift_findings
      where tenant_id = ${key.tenantId} and run_id = ${key.runId} and kind = ${decision.kind} and state = 'open'`.execute(tx)
    return { decided: decided.length, remaining: rows[0]?.remaining ?? 0 }
  })
