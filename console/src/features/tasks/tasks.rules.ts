/** Which tasks the page is about, and which are selected. Pure. */
import { TASK_KINDS, TASK_STATES, type TargetTask, type TaskFilter } from '@instep/contract/target-tasks.ts'

/** Ages that the filter offers, in days. */
export const AGES = [1, 7, 30] as const

type Search = Readonly<Record<string, string | undefined>>

/** The filter as the address holds it. */
export const filterOf = (search: Search, siteId: string | null): TaskFilter => {
  const kind = TASK_KINDS.find((one) => one === search['kind'])
  const age = AGES.find((days) => String(days) === search['age'])
  return {
    state: TASK_STATES.find((one) => one === search['state']) ?? 'open',
    ...(kind ? { kind } : {}),
    ...(age === undefined ? {} : { olderThanDays: age }),
    ...(search['targetId'] ? { targetId: search['targetId'] } : {}),
    ...(search['assigned'] ? { assigned: search['assigned'] as NonNullable<TaskFilter['assigned']> } : {}),
    ...(siteId === null ? {} : { siteId }),
  }
}

/** Whether anything but the state narrows the list. */
export const isNarrowed = ({ kind, olderThanDays, targetId, assigned }: TaskFilter): boolean =>
  Boolean(kind ?? olderThanDays ?? targetId ?? assigned)

/** A task as it was seen: what is ticked off is this revision and no later one. */
export const keyOf = ({ id, revision }: Pick<TargetTask, 'id' | 'revision'>): string => `${id} ${revision}`

/** What selected keys stand for. */
export const tasksOf = (keys: Iterable<string>): { taskId: string; revision: number }[] =>
  [...keys].map((key) => {
    const [taskId = '', revision = ''] = key.split(' ')
    return { taskId, revision: Number(revision) }
  })
