/** Bringing single people in step at every target now, or seeing what that would do (decisions.md section 3). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { DECISION_KINDS } from './explain.ts'
import { ListRun } from './exports.ts'
import { Id, page, pageQuery, queryBoolean } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { BroughtIn, RECORD_ORIGINS, SourceCause, SyncedRecord } from './source-record.ts'

export const MOST_SYNCED_BY_HAND = 200

/** One attribute of an account: a path such as `title` or `name.givenName`, and its values; null where there is none. */
export const AccountChange = z.object({ attribute: z.string(), before: z.unknown(), after: z.unknown() })
export type AccountChange = z.infer<typeof AccountChange>

/** A request and the target's own reply, without secrets; `status` and `reply` are null where no reply came. */
export const TracedRequest = z.object({
  method: z.string(),
  path: z.string(),
  request: z.string().nullable(),
  status: z.number().int().nullable(),
  milliseconds: z.number().int().nullable(),
  reply: z.string().nullable(),
})
export type TracedRequest = z.infer<typeof TracedRequest>

export const ACCOUNT_DEEDS = ['none', 'created', 'linked', 'updated', 'disabled', 'deleted', 'unlinked'] as const

/** `busy`: a worker is at this account at this moment and goes on with it. `kept`: nothing may be sent, for the cause told. */
export const USER_SYNC_RESULTS = ['preview', 'done', 'kept', 'failed', 'busy'] as const

/** What came of one person's account at one target, or would come of it. */
export const AccountSync = z.object({
  targetId: Id,
  targetName: z.string(),
  result: z.enum(USER_SYNC_RESULTS),
  /** What was done, or would be; null where it is not known. */
  deed: z.enum(ACCOUNT_DEEDS).nullable(),
  /** From what the target is known to hold, in a preview from what was found there, to what it should hold. */
  changes: z.array(AccountChange),
  cause: z.string().nullable(),
  /** Why it failed, in the target's own words. */
  detail: z.string().nullable(),
  requests: z.array(TracedRequest),
})
export type AccountSync = z.infer<typeof AccountSync>

/** The same with what the account should hold, attribute by attribute; empty where nothing is wanted or known. */
export const TargetSync = AccountSync.extend({ desired: z.array(z.object({ attribute: z.string(), value: z.unknown() })) })
export type TargetSync = z.infer<typeof TargetSync>

export const syncUser = endpoint({
  id: 'userSync.one',
  method: 'POST',
  path: '/connectors/{connectorId}/users/{userId}/export',
  summary:
    'Reads one person’s record from the source, brings it in, and brings the person in step at every enabled target now; shows each step. As a preview it only asks.',
  who: { roles: TENANT_ADMINS, bit: 'editUsers' },
  within: 'connector',
  params: z.object({ connectorId: Id, userId: Id }),
  query: z.object({ preview: queryBoolean }),
  response: z.object({ source: SyncedRecord, targets: z.array(TargetSync) }),
  problems: ['MAINTENANCE', 'CONNECTOR_KIND_WRONG'],
})

export const syncUsers = endpoint({
  id: 'userSync.many',
  method: 'POST',
  path: '/connectors/{tenantId}/user-syncs',
  summary: 'The same for up to 200 people: a run over a list, which can be followed and cancelled.',
  who: { roles: TENANT_ADMINS, bit: 'editUsers' },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  body: z.object({ userIds: z.array(Id).min(1).max(MOST_SYNCED_BY_HAND), preview: z.boolean().default(false) }),
  response: ListRun,
  status: 202,
  problems: ['MAINTENANCE'],
})

/** What came of one person's account in short; the whole is in `userSync.steps`. */
export const SyncedAccount = z.object({
  targetId: Id,
  targetName: z.string(),
  result: z.enum(USER_SYNC_RESULTS),
  deed: z.enum(ACCOUNT_DEEDS).nullable(),
  /** Which attributes changed, or would. */
  attributes: z.array(z.string()),
  cause: z.string().nullable(),
  detail: z.string().nullable(),
})
export type SyncedAccount = z.infer<typeof SyncedAccount>

/** One person of such a run. */
export const SyncedUser = z.object({
  userId: Id,
  connectorId: Id,
  displayName: z.string(),
  employeeId: z.string(),
  /** What was read, and what came of it; null where nobody's record was read. */
  source: z
    .object({
      from: z.enum(RECORD_ORIGINS),
      /** Why the source was not asked. */
      cause: SourceCause.nullable(),
      /** What a run makes of the record; null where there is none. */
      decision: z.enum(DECISION_KINDS).nullable(),
      brought: BroughtIn.nullable(),
    })
    .nullable(),
  /** Null where the targets were not asked, because the run ended before. */
  accounts: z.array(SyncedAccount).nullable(),
})
export type SyncedUser = z.infer<typeof SyncedUser>

/** For so many days it can be read what such a run saw and did; the records and replies in it are personal data. */
export const SYNCS_KEPT_DAYS = 7

export const listSyncedUsers = endpoint({
  id: 'userSync.results',
  method: 'GET',
  path: '/connectors/{tenantId}/list-runs/{runId}/synced-users',
  summary: `What came of each person of such a run so far; kept for ${SYNCS_KEPT_DAYS} days.`,
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  query: z.object(pageQuery),
  response: page(SyncedUser),
  problems: ['TOKEN_FOREIGN'],
})

export const showSyncedUser = endpoint({
  id: 'userSync.steps',
  method: 'GET',
  path: '/connectors/{tenantId}/list-runs/{runId}/synced-users/{userId}',
  summary: 'Each step that such a run took for one person, from the source’s record to every target’s reply.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id, userId: Id }),
  response: z.object({ preview: z.boolean(), source: SyncedRecord.nullable(), targets: z.array(TargetSync).nullable() }),
})
