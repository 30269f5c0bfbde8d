import { hashDocument } from '@instep/connectors/kit/hash-document.ts'
import { traceRequests } from '@instep/connectors/kit/request-trace.ts'
import type { RemoteAccount, Target } from '@instep/connectors/kit/target.ts'
import type { TargetSync, TracedRequest } from '@instep/contract/user-sync.ts'
import type { Db } from '../../platform/db/database.ts'
import { firstStep, type KnownAccount, type WantedAccount } from './account.rules.ts'
import type { Person } from './account.store.ts'
import { failureOf } from './carry-out.ts'
import { compareDocuments } from './compare-documents.ts'
import { knownAccount, type PersonTarget } from './lease-person.ts'

interface PreviewDeps {
  readonly db: Db
  readonly openTarget: (tenantId: string, targetId: string) => Promise<Target>
}

interface Preview {
  readonly tenantId: string
  readonly userId: string
  readonly person: Person
  readonly target: PersonTarget
}

const UNKNOWN: KnownAccount = { remoteId: null, applied: null, appliedHash: null, uncertain: false }

/** What bringing one account in step would do. The target is asked for the account and told nothing; nothing is recorded. */
export const previewAccount = async (
  { db, openTarget }: PreviewDeps,
  { tenantId, userId, person, target: { targetId, name } }: Preview,
): Promise<TargetSync> => {
  const requests: TracedRequest[] = []
  const common = { targetId, targetName: name, result: 'preview', cause: null, detail: null, requests } as const
  let client: Target | undefined
  try {
    client = await openTarget(tenantId, targetId)
    const target = client
    const document = target.documentOf(person)
    const wanted = { document, hash: hashDocument(document).toString('hex'), active: person.active }
    const known: KnownAccount = (await knownAccount(db, { tenantId, targetId, userId })) ?? UNKNOWN
    const found = await traceRequests(requests, () => lookUp(target, known, wanted))
    return { ...common, ...expected({ known, wanted, found, leaver: target.leaver }) }
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
  readonly leaver: Target['leaver']
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
