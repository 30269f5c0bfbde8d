import * as contract from '@instep/contract/target-tasks.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { narrowSites } from '../../../platform/db/narrow-sites.ts'
import type { Actor } from '../../../platform/http/actor.ts'
import type { Continuation } from '../../../platform/http/continuation.ts'
import { problem } from '../../../platform/http/problem.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { completeTask, completeTasks, type Deciding, failTask, undoTask, updateTask } from './decide-task.ts'
import { downloadTasks } from './download-tasks.ts'
import { countTasks, readAssignees, readTask, readTasks, type TaskScope } from './tasks.views.ts'

export interface TasksDeps {
  readonly db: Db
  readonly clock: Clock
  readonly continuation: Continuation
  /** Accounts of this target are to be looked at. */
  readonly nudge: (targetId: string) => void
}

interface Caller {
  readonly tenantId: string
  readonly actor: Actor
}

/** Tasks for people at targets that Instep cannot write to: seen, given to somebody, ticked off, taken back. */
export const tasksRoutes = (deps: TasksDeps): Route[] => [...readingRoutes(deps), ...decidingRoutes(deps)]

const present = async (db: Db, { tenantId, actor }: Caller, taskId: string): Promise<contract.TargetTask> => {
  const task = await readTask(db, { tenantId, sites: actor.sites }, taskId)
  if (!task) throw problem('NOT_FOUND')
  return task
}

const readingRoutes = ({ db, clock, continuation }: TasksDeps): Route[] => {
  const scopeOf = async ({ tenantId, actor }: Caller, { siteId, assigned, ...asked }: contract.TaskFilter): Promise<TaskScope> => {
    const sites = await narrowSites(db, { tenantId, sites: actor.sites }, { siteId })
    const assignedTo = assigned === 'me' ? actor.id : assigned === 'nobody' ? null : assigned
    return { tenantId, sites, ...asked, assignedTo, at: clock.now() }
  }

  return [
    route(contract.listTasks, async ({ tenantId, actor, query: { continuationToken, pageSize, ...asked } }) => {
      const scope = await scopeOf({ tenantId, actor }, asked)
      const list = { list: 'tasks', tenantId, asked }
      const after = continuationToken ? String(continuation.decode(list, continuationToken)[0]) : undefined
      const [rows, count] = await Promise.all([readTasks(db, scope, { after, limit: pageSize + 1 }), countTasks(db, scope)])
      const data = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? data.at(-1) : undefined
      return { data, continuationToken: last ? continuation.encode(list, [last.id]) : null, count }
    }),

    route(contract.downloadTasks, async ({ tenantId, actor, query, request }) => ({
      contentType: 'text/csv; charset=utf-8',
      fileName: 'tasks.csv',
      body: downloadTasks(db, await scopeOf({ tenantId, actor }, query), request.headers['accept-language']),
    })),

    route(contract.listAssignees, async ({ tenantId }) => ({ data: await readAssignees(db, tenantId) })),

    route(contract.getTask, ({ tenantId, actor, params }) => present(db, { tenantId, actor }, params.taskId)),
  ]
}

const decidingRoutes = ({ db, clock, nudge }: TasksDeps): Route[] => {
  const decide = <T>(
    { tenantId, actor, correlationId }: Caller & { correlationId: string },
    act: (tx: Tx, by: Deciding) => Promise<T>,
  ): Promise<T> => db.transaction().execute((tx) => act(tx, { tenantId, actor, at: clock.now(), correlationId }))

  return [
    route(contract.updateTask, async ({ params, body, ...call }) => {
      await decide(call, (tx, by) => updateTask(tx, { ...body, taskId: params.taskId }, by))
      return present(db, call, params.taskId)
    }),

    route(contract.completeTask, async ({ params, body, ...call }) => {
      nudge(await decide(call, (tx, by) => completeTask(tx, { ...body, taskId: params.taskId }, by)))
      return present(db, call, params.taskId)
    }),

    route(contract.completeTasks, async ({ body, ...call }) => {
      const { targets, refused } = await decide(call, (tx, by) => completeTasks(tx, body.tasks, by))
      for (const targetId of new Set(targets)) nudge(targetId)
      return { completed: targets.length, refused }
    }),

    route(contract.failTask, async ({ params, body, ...call }) => {
      await decide(call, (tx, by) => failTask(tx, { ...body, taskId: params.taskId }, by))
      return present(db, call, params.taskId)
    }),

    route(contract.undoTask, async ({ params, ...call }) => {
      nudge(await decide(call, (tx, by) => undoTask(tx, params.taskId, by)))
      return present(db, call, params.taskId)
    }),
  ]
}
