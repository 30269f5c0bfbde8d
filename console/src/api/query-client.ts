import { listTenants } from '@instep/contract/tenants.ts'
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api-problem.ts'

const RETRIES = 2

/** Passing troubles are tried again; what the server decided is not, and neither is an expired session. */
const isPassing = (error: unknown): boolean => error instanceof ApiProblem && ['OFFLINE', 'UNAVAILABLE'].includes(error.code)

/** The query cache: nothing flashes on focus, answers are fresh for 30 seconds. */
export const createQueryClient = (): QueryClient => {
  const client: QueryClient = new QueryClient({
    // a maintenance window that began meanwhile is known from the first edit that it refuses
    mutationCache: new MutationCache({
      onError: (error) => {
        if (error instanceof ApiProblem && error.code === 'MAINTENANCE') void client.invalidateQueries({ queryKey: [listTenants.id] })
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => isPassing(error) && count < RETRIES,
        // a machine without a network is told so by the failure, rather than waiting without a word
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
