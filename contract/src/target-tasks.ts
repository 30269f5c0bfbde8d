/** What people carry out at systems that Instep cannot write to: one open task an account, saying what is wanted compared with what was confirmed. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { upTo } from './line-of-text.ts'
import { Count, Id, Instant, page, pageQuery } from './page.ts'
import { type ProblemCode, problemCodes } from './problem.ts'
import { PEOPLE_ADMINS } from './roles.ts'

export const TASK_KINDS = ['create', 'update', 'disable', 'enable', 'delete'] as const
/** `withdrawn`: nothing was left to do before anybody did it; `undone`: the tick was taken back. */
export const TASK_STATES = ['open', 'done', 'failed', 'withdrawn', 'undone'] as const
/** Tasks that one call ticks off at most. */
export const MAX_TICKS = 200
export const MAX_COMMENT = 2000

export const TargetTask = z.object({
  id: Id,
  targetId: Id,
  targetName: z.string(),
  userId: Id,
  connectorId: Id,
  displayName: z.string(),
  employeeId: z.string(),
  siteName: z.string().nullable(),
  kind: z.enum(TASK_KINDS),
  state: z.enum(TASK_STATES),
  /** Grows whenever what is wanted changes; whoever ticks says which one was seen. */
  revision: z.number().int(),
  /** Fields as they were confirmed last, and as they should be; for a new account every value. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** How the account is called there, where somebody typed it in. */
  accountName: z.string().nullable(),
  assignedTo: z.object({ id: Id, name: z.string() }).nullable(),
  comment: z.string().nullable(),
  /** Why it could not be done. */
  reason: z.string().nullable(),
  openedAt: Instant,
  changedAt: Instant,
  closedAt: Instant.nullable(),
  closedBy: z.string().nullable(),
  /** What the target's settings say about how it is done. */
  instructions: z.string().nullable(),
})
export type TargetTask = z.infer<typeof TargetTask>

const ASSIGNED = ['me', 'nobody'] as const
const narrowing = {
  state: z.enum(TASK_STATES).default('open'),
  targetId: Id.optional(),
  kind: z.enum(TASK_KINDS).optional(),
  siteId: Id.optional(),
  assigned: z.union([z.enum(ASSIGNED), Id]).optional(),
  olderThanDays: z.coerce.number().int().min(1).max(3650).optional(),
}
const taskFilter = z.object(narrowing)
export type TaskFilter = z.infer<typeof taskFilter>

const who = { roles: PEOPLE_ADMINS, bit: 'editUsers' } as const
const within = 'tenant' as const
const inTenant = z.object({ tenantId: Id })
const taskParams = z.object({ tenantId: Id, taskId: Id })
const revision = z.number().int().min(1)
const text = (longest: number) =>
  upTo(longest, z.string().trim())
    .min(1)
    .refine((value) => value.isWellFormed() && !value.includes('\0'))

export const listTasks = endpoint({
  id: 'tasks.list',
  method: 'GET',
  path: '/connectors/{tenantId}/tasks',
  summary: 'Tasks about people whom the caller may see, longest open first; closed ones newest first.',
  who: { roles: PEOPLE_ADMINS },
  within,
  params: inTenant,
  query: z.object({ ...pageQuery, ...narrowing }),
  response: page(TargetTask).extend({ count: Count }),
  problems: ['TOKEN_FOREIGN'],
})

export const downloadTasks = endpoint({
  id: 'tasks.download',
  method: 'GET',
  path: '/connectors/{tenantId}/tasks/download',
  summary: 'The tasks that a filter finds, as CSV.',
  who: { roles: PEOPLE_ADMINS, bit: 'exportUsers' },
  within,
  params: inTenant,
  query: taskFilter,
  responseKind: 'file',
})

export const listAssignees = endpoint({
  id: 'tasks.assignees',
  method: 'GET',
  path: '/connectors/{tenantId}/tasks/assignees',
  summary: 'Administrators of the tenant to whom tasks can be given, by name.',
  who: { roles: PEOPLE_ADMINS },
  within,
  params: inTenant,
  response: z.object({ data: z.array(z.object({ id: Id, name: z.string() })) }),
})

export const getTask = endpoint({
  id: 'tasks.get',
  method: 'GET',
  path: '/connectors/{tenantId}/tasks/{taskId}',
  summary: 'One task.',
  who: { roles: PEOPLE_ADMINS },
  within,
  params: taskParams,
  response: TargetTask,
})

export const updateTask = endpoint({
  id: 'tasks.update',
  method: 'PATCH',
  path: '/connectors/{tenantId}/tasks/{taskId}',
  summary: 'Gives an open task to an administrator or takes it back, and notes a comment; absent members stay, null clears.',
  who,
  within,
  params: taskParams,
  body: z.object({ assignedTo: Id.nullable().optional(), comment: text(MAX_COMMENT).nullable().optional() }),
  response: TargetTask,
  problems: ['TASK_STATE_WRONG'],
})

export const completeTask = endpoint({
  id: 'tasks.complete',
  method: 'POST',
  path: '/connectors/{tenantId}/tasks/{taskId}/done',
  summary: 'Somebody has done it: the account is as the task said, and is called so there if a name is given.',
  who,
  within,
  params: taskParams,
  body: z.object({ revision, accountName: text(200).optional() }),
  response: TargetTask,
  problems: ['TASK_STATE_WRONG', 'TASK_CHANGED', 'TASK_ACCOUNT_TAKEN'],
})

export const completeTasks = endpoint({
  id: 'tasks.completeAll',
  method: 'POST',
  path: '/connectors/{tenantId}/tasks/done',
  summary: 'Ticks the named tasks off; those that cannot be are left open and told.',
  who,
  within,
  params: inTenant,
  body: z.object({
    tasks: z
      .array(z.object({ taskId: Id, revision }))
      .min(1)
      .max(MAX_TICKS),
  }),
  response: z.object({
    completed: z.number().int(),
    refused: z.array(z.object({ taskId: Id, code: z.enum(problemCodes as [ProblemCode, ...ProblemCode[]]) })),
  }),
})

export const failTask = endpoint({
  id: 'tasks.fail',
  method: 'POST',
  path: '/connectors/{tenantId}/tasks/{taskId}/failed',
  summary: 'It cannot be done, and why: the account is set aside until the person changes or somebody asks for it again.',
  who,
  within,
  params: taskParams,
  body: z.object({ revision, reason: text(1000) }),
  response: TargetTask,
  problems: ['TASK_STATE_WRONG', 'TASK_CHANGED'],
})

export const undoTask = endpoint({
  id: 'tasks.undo',
  method: 'POST',
  path: '/connectors/{tenantId}/tasks/{taskId}/undo',
  summary: 'Takes back that a task was done, or could not be; what is wanted is asked for again. Only the last tick of an account.',
  who,
  within,
  params: taskParams,
  response: TargetTask,
  problems: ['TASK_STATE_WRONG', 'TASK_OVERTAKEN'],
})
