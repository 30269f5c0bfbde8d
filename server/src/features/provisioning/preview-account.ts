import { traceRequests } from '@instep/connectors/kit/request-trace.ts'
import type { RemoteAccount, Target } from '@instep/connectors/kit/target.ts'
import type { TargetSync, TracedRequest } from '@instep/contract/user-sync.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { firstStep, type KnownAccount, type WantedAccount } from './account.rules.ts'
import type { LeasedAccount } from './account.store.ts'
import { leaverOf, wantedOf } from './attempt-task.ts'
import { failureOf } from './carry-out.ts'
import { attributesOf, compareDocuments } from './compare-documents.ts'
import { knownAccount, type PersonTarget } from './lease-person.ts'
import type { Removal } from './leaver.rules.ts'
import { readPolicy } from './policy.store.ts'
import { describeTasks } from './tasks.ts'

interface PreviewDeps {
  readonly db: Db
  readonly clock: Clock
  readonly openTarget: (tenantId: string, targetId: string) => Promise<Target>
}

interface Preview {
  readonly tenantId: string
  readonly userId: string
  readonly target: PersonTarget
}

/** Nobody has looked at the account yet. */
const unknown = (userId: string): Omit<LeasedAccount, 'lease' | 'leasedUntil'> => ({
  userId,
  dueSince: '-infinity',
  revision: 0,
  attempts: 0,
  cause: null,
  correlationId: null,
  uncertain: false,
  remoteId: null,
  applied: null,
  appliedHash: null,
  etag: null,
  removal: null,
})

/** What bringing one account in step would do. The target is asked for the account and told nothing; nothing is recorded. */
export const previewAccount = async (
  { db, clock, openTarget }: PreviewDeps,
  { tenantId, userId, target: { targetId, name } }: Preview,
): Promise<TargetSync> => {
  const requests: TracedRequest[] = []
  const common = { targetId, targetName: name, result: 'preview' as const, cause: null, detail: null, requests, desired: [] }
  let client: Target | undefined
  try {
    client = await openTarget(tenantId, targetId)
    const target = client
    const key = { tenantId, targetId }
    const now = clock.now()
    const row = { ...((await knownAccount(db, { ...key, userId })) ?? unknown(userId)), lease: '', leasedUntil: now }
    const [task] = await describeTasks({ db, due: { ...key, name }, target, policy: await readPolicy(db, key), now }, [row])
    if (!task) return { ...common, deed: 'none', changes: [] }
    const { wanted, outcome } = wantedOf(target, task, now)
    if (outcome?.kind === 'kept') return { ...common, deed: 'none', changes: [], cause: outcome.cause }
    const desired = attributesOf(wanted.document)
    if (outcome?.kind === 'applied') return { ...common, desired, deed: outcome.deed, changes: [] }
    const found = await traceRequests(requests, () => lookUp(target, row, wanted))
    return { ...common, desired, ...expected({ known: row, wanted, found, leaver: leaverOf(task) }) }
  } catch (error) {
    const { code, detail } = failureOf(error)
    return { ...common, result: 'failed', deed: null, changes: [], cause: code, detail }
  } finally {
    await client?.close()
  }
}

/** By the key it was given last, as long as it may still have that one, else by the one it should have. */
const lookUp = async (target: Target, known: KnownAccount, { document }: WantedAccount): Promise<RemoteAccount | undefined> =>
  (known.applied && (await target.find(known.applied))) ?? (await target.find(document))

interface Found {
  readonly known: KnownAccount
  readonly wanted: WantedAccount
  readonly found: RemoteAccount | undefined
  readonly leaver: Removal
}

/** Pure. */
const expected = ({ known, wanted, found, leaver }: Found): Pick<TargetSync, 'deed' | 'changes'> => {
  const step = firstStep({ ...known, remoteId: found?.remoteId ?? null, uncertain: false, appliedHash: null }, wanted, leaver)
  if (step.act === 'nothing' || step.act === 'find') return { deed: 'none', changes: [] }
  if (step.act === 'create') return { deed: 'created', changes: compareDocuments({}, wanted.document) }
  if (step.act === 'delete') return { deed: 'deleted', changes: [] }
  const changes = compareDocuments(found?.document ?? {}, wanted.document)
  if (known.remoteId !== found?.remoteId) return { deed: wanted.active ? 'linked' : 'disabled', changes }
  return { deed: changes.length === 0 ? 'none' : wanted.active ? 'updated' : 'disabled', changes }
}
