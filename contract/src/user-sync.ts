/** Bringing single people in step at every target now, or seeing what that would do (decisions.md section 3). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListRun } from './exports.ts'
import { Id, page, pageQuery, queryBoolean } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { SyncedRecord } from './source-record.ts'

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

/** One account of such a run, with what was asked and replied. */
export const SyncedUser = AccountSync.extend({
  userId: Id,
  connectorId: Id,
  displayName: z.string(),
  employeeId: z.string(),
})
export type SyncedUser = z.infer<typeof SyncedUser>

export const listSyncedUsers = endpoint({
  id: 'userSync.results',
  method: 'GET',
  path: '/connectors/{tenantId}/list-runs/{runId}/synced-users',
  summary: 'What came of each account of such a run so far.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  query: z.object(pageQuery),
  response: page(SyncedUser),
  problems: ['TOKEN_FOREIGN'],
})
