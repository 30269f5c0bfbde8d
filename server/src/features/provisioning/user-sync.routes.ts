import type { ListRun } from '@instep/contract/exports.ts'
import { permits } from '@instep/contract/roles.ts'
import type { SyncedRecord } from '@instep/contract/source-record.ts'
import * as contract from '@instep/contract/user-sync.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Continuation } from '../../platform/http/continuation.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { type SyncUserDeps, syncUser } from './sync-user.ts'
import { type BringIn, startUsersSync } from './sync-users-run.ts'
import { isPersonOf, syncedUserSteps, syncedUsers } from './user-sync.views.ts'

export interface UserSyncRouteDeps extends SyncUserDeps {
  readonly continuation: Continuation
  /** Tells the worker that there is a run to carry out. */
  readonly nudgeRuns: () => void
  /** Reads the person's record from the source, and brings it in where that is asked for. */
  readonly syncRecord: (asked: {
    readonly tenantId: string
    readonly connectorId: string
    readonly userId: string
    readonly signal: AbortSignal
    readonly bringIn?: BringIn | undefined
  }) => Promise<SyncedRecord>
  /** The run as runs over lists are shown. */
  readonly presentRun: (run: RunRow) => ListRun
}

const adminOf = (actor: Actor) => ({ kind: 'admin' as const, id: actor.id, name: actor.name })

export const userSyncRoutes = (deps: UserSyncRouteDeps): Route[] => [
  route(contract.syncUser, async ({ tenantId, params, query: { preview }, actor, correlationId, signal }) => {
    if (!(await isPersonOf(deps.db, { tenantId, ...params }))) throw problem('NOT_FOUND')
    const by = adminOf(actor)
    const mayImport = permits('importUsers', actor.permissions)
    const source = await deps.syncRecord({ tenantId, ...params, signal, bringIn: preview ? undefined : { by, mayImport, correlationId } })
    const targets = await syncUser(deps, { tenantId, userId: params.userId, preview, by, correlationId })
    if (!targets) throw problem('NOT_FOUND')
    return { source, targets }
  }),

  route(contract.syncUsers, async ({ tenantId, body, actor, correlationId }) => {
    const mayImport = permits('importUsers', actor.permissions)
    const run = await startUsersSync(deps, { tenantId, ...body, mayImport, by: adminOf(actor), correlationId })
    if (!run) throw problem('NOT_FOUND')
    deps.nudgeRuns()
    return deps.presentRun(run)
  }),

  route(contract.listSyncedUsers, async ({ tenantId, params, query }) => {
    const scope = [tenantId, contract.listSyncedUsers.id, params.runId]
    const after = query.continuationToken ? Number(deps.continuation.decode(scope, query.continuationToken)[0]) : 0
    const found = await syncedUsers(deps.db, { tenantId, runId: params.runId, after, limit: query.pageSize + 1 })
    if (!found) throw problem('NOT_FOUND')
    const rows = found.slice(0, query.pageSize)
    const last = rows.at(-1)
    return {
      data: rows.map(({ sequence: _, ...row }) => row),
      continuationToken: last && found.length > rows.length ? deps.continuation.encode(scope, [last.sequence]) : null,
    }
  }),

  route(contract.showSyncedUser, async ({ tenantId, params: { runId, userId } }) => {
    const steps = await syncedUserSteps(deps.db, { tenantId, runId, userId })
    if (!steps) throw problem('NOT_FOUND')
    return steps
  }),
]
