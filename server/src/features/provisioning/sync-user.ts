import { setTimeout as sleep } from 'node:timers/promises'
import { traceRequests } from '@instep/connectors/kit/request-trace.ts'
import type { Target } from '@instep/connectors/kit/target.ts'
import type { TargetSync, TracedRequest } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { WantedAccount } from './account.rules.ts'
import { type DueTarget, type LeasedAccount, linkAccount, type Person, readPeople, renewLeases } from './account.store.ts'
import { answerOf, attemptTask } from './attempt-task.ts'
import { failureOf, type Outcome } from './carry-out.ts'
import { attributesOf, compareDocuments } from './compare-documents.ts'
import { afterFailure } from './failure.rules.ts'
import { createLeaseKeeper } from './lease-keeper.ts'
import { enabledTargets, leasePerson, type PersonTarget } from './lease-person.ts'
import { markPending } from './mark-pending.ts'
import { readPolicy } from './policy.store.ts'
import { previewAccount } from './preview-account.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { prepareTasks, type Task } from './tasks.ts'

export interface SyncUserDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** Makes the client of a target from its stored settings; it is closed after use. */
  readonly openTarget: (tenantId: string, targetId: string) => Promise<Target>
  /** How long a worker that is at the account is waited for, in milliseconds; 5,000 unless said otherwise. */
  readonly patience?: number
}

export interface UserToSync {
  readonly tenantId: string
  readonly userId: string
  readonly preview: boolean
  readonly by: EventActor
  readonly correlationId: string
}

const LEASE_SECONDS = 10
const RENEW_SECONDS = 3
const PATIENCE = 5000
const POLL_MILLISECONDS = 100

/**
 * Brings one person in step at every enabled target, or says what that would do. Undefined when the tenant has no such person.
 *
 * Applying marks the rows pending and leases them in one transaction, together with the event that says who asked: from then on no worker acts for
 * them, and if this process dies a worker goes on where it stopped. A row that a worker holds at that moment is waited for, and is done again after it; if that
 * takes long it stays the worker's.
 */
export const syncUser = async (deps: SyncUserDeps, asked: UserToSync): Promise<TargetSync[] | undefined> => {
  const { db } = deps
  const { tenantId, userId, preview } = asked
  const named = (await readPeople(db, tenantId, [userId])).get(userId)
  if (!named) return undefined
  const targets = await enabledTargets(db, tenantId)
  const results: TargetSync[] = []
  if (preview) {
    for (const target of targets) results.push(await previewAccount(deps, { ...asked, target }))
    return results
  }
  const leased = await takeRows(deps, asked, { displayName: named.fields.displayName ?? '', targets })
  await Promise.all(
    targets.map(async (target, place) => {
      const row = leased.get(target.targetId) ?? (await afterWorker(deps, asked, target))
      results[place] = row ? await applyAccount(deps, asked, { row, person: named, target }) : busy(target)
    }),
  )
  return results
}

const takeRows = (
  { db, clock }: SyncUserDeps,
  { tenantId, userId, by, correlationId }: UserToSync,
  { displayName, targets }: { displayName: string; targets: readonly PersonTarget[] },
): Promise<Map<string, LeasedAccount>> =>
  db.transaction().execute(async (tx) => {
    if (targets.length === 0) return new Map()
    const now = clock.now()
    await markPending(tx, { tenantId, users: sql`select ${userId}::uuid as user_id`, correlationId })
    await recordEvents(tx, [
      { tenantId, at: now, stream: 'user', type: 'user.synced', correlationId, actor: by, subjectId: userId, data: { user: displayName } },
    ])
    return leasePerson(tx, { tenantId, userId, now, until: leaseEnd(now) })
  })

const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_SECONDS * 1000)

/** The row once the worker that holds it is done; undefined where that takes too long for somebody who looks at a screen. */
const afterWorker = async (
  { db, clock, patience = PATIENCE }: SyncUserDeps,
  { tenantId, userId }: UserToSync,
  { targetId }: PersonTarget,
): Promise<LeasedAccount | undefined> => {
  for (let waited = 0; waited < patience; waited += POLL_MILLISECONDS) {
    await sleep(POLL_MILLISECONDS)
    const now = clock.now()
    const leased = await db.transaction().execute((tx) => leasePerson(tx, { tenantId, userId, targetId, now, until: leaseEnd(now) }))
    const row = leased.get(targetId)
    if (row) return row
  }
  return undefined
}

const busy = ({ targetId, name }: PersonTarget): TargetSync => ({
  targetId,
  targetName: name,
  result: 'busy',
  deed: null,
  changes: [],
  cause: null,
  detail: null,
  requests: [],
  desired: [],
})

interface Turn {
  readonly row: LeasedAccount
  /** As it was before the lease. */
  readonly person: Person
  readonly target: PersonTarget
}

const applyAccount = async (deps: SyncUserDeps, asked: UserToSync, { row, person, target }: Turn): Promise<TargetSync> => {
  const { db, clock, log } = deps
  const key = { tenantId: asked.tenantId, targetId: target.targetId }
  const keeper = createLeaseKeeper({
    clock,
    log,
    leaseSeconds: LEASE_SECONDS,
    renewSeconds: RENEW_SECONDS,
    idOf: ({ userId }: LeasedAccount) => userId,
    renewLeases: (held, until) => renewLeases(db, key, { held, until }),
  })
  const requests: TracedRequest[] = []
  let client: Target | undefined
  try {
    client = await deps.openTarget(key.tenantId, key.targetId)
    const due = { ...key, name: target.name }
    const [task] = await prepareTasks({ db, due, target: client, policy: await readPolicy(db, key), now: clock.now() }, [row])
    if (!task) return busy(target)
    keeper.hold(task)
    return await carryThrough(deps, asked, { task, client, due, requests })
  } catch (error) {
    const failure = failureOf(error)
    const now = clock.now()
    const standing = afterFailure(failure, { attempts: row.attempts, ...alone(now) })
    const outcome = { kind: 'failed', failure, uncertain: row.uncertain, sent: null } as const
    const wanted = { document: {}, hash: '', active: person.active }
    const unopened = { removal: null, deleteAt: null, namesManagers: false }
    await recordOutcomes(db, { ...key, targetName: target.name, now, correlationId: asked.correlationId }, [
      { row, displayName: person.fields.displayName ?? '', version: person.version, wanted, outcome, standing, ...unopened },
    ])
    return { ...busy(target), result: 'failed', cause: failure.code, detail: failure.detail, requests }
  } finally {
    keeper.stop()
    await client?.close()
  }
}

/** One account says nothing about the health of its target. */
const alone = (now: Date) => ({ now, targetFailing: false, resumesAt: null, random: Math.random })

interface Carried {
  readonly task: Task
  readonly client: Target
  readonly due: DueTarget
  readonly requests: TracedRequest[]
}

/** The engine's own attempt, so that policy, protection and guard are heeded; recorded like a worker's. */
const carryThrough = async (deps: SyncUserDeps, asked: UserToSync, { task, client, due, requests }: Carried): Promise<TargetSync> => {
  const { db, clock } = deps
  const { row } = task
  const told = { ...busy({ targetId: due.targetId, name: due.name }), requests }
  // the account is read back even where it counts as in step: somebody wants to be certain
  const looked = { ...task, row: { ...row, uncertain: row.uncertain || row.remoteId !== null } }
  const link = ({ remoteId }: { remoteId: string }) => linkAccount(db, due, { row, remoteId })
  const { wanted, outcome } = await traceRequests(requests, () => attemptTask(client, looked, { now: clock.now(), link }))
  const answered = withoutNoOp(outcome, { row, wanted, requests })
  if (answered.kind === 'abandoned') return told
  const now = clock.now()
  const standing = answered.kind === 'failed' ? afterFailure(answered.failure, { attempts: row.attempts, ...alone(now) }) : null
  const recording = { ...due, targetName: due.name, now, correlationId: asked.correlationId }
  const written = await recordOutcomes(db, recording, [answerOf(task, { target: client, wanted, outcome: answered, standing })])
  if (written === 0) return told
  if (answered.kind === 'kept') return { ...told, result: 'kept', cause: answered.cause }
  return {
    ...told,
    ...(answered.kind === 'failed'
      ? { result: 'failed', cause: answered.failure.code, detail: answered.failure.detail }
      : { result: 'done', deed: answered.deed }),
    desired: attributesOf(wanted.document),
    changes: compareDocuments(row.remoteId === null ? {} : (row.applied ?? {}), wanted.document),
  }
}

/** An account that was only read, and found to be what it should be, was not changed. */
const withoutNoOp = (
  outcome: Outcome,
  { row, wanted, requests }: { row: LeasedAccount; wanted: WantedAccount; requests: readonly TracedRequest[] },
): Outcome => {
  if (outcome.kind !== 'applied' || row.uncertain || row.appliedHash !== wanted.hash) return outcome
  return requests.every(({ method }) => method === 'GET') && outcome.remoteId === row.remoteId ? { ...outcome, deed: 'none' } : outcome
}
