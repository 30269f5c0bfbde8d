import { getTargetSummary, listTargetAccounts } from '@instep/contract/provisioning.ts'
import { getTask, listTasks } from '@instep/contract/target-tasks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../api/use-endpoint.ts'

/** Has everything that shows tasks fetched again, after one was changed. */
export const useTasksChanged = () => {
  const cache = useQueryClient()
  return (): void => {
    for (const endpoint of [listTasks, getTask, getTargetSummary, listTargetAccounts])
      cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
  }
}
