import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api-problem.ts'

const RETRIES = 2

/** Passing troubles are tried again; what the server decided is not, and neither is an expired session. */
const isPassing = (error: unknown): boolean => error instanceof ApiProblem && ['OFFLINE', 'UNAVAILABLE'].includes(error.code)

/** The query cache: nothing flashes on focus, answers are fresh for 30 seconds. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => isPassing(error) && count < RETRIES,
      },
      mutations: { retry: false },
    },
  })
