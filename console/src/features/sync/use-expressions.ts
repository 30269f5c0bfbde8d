import { provideExpressions } from '@instep/contract/expression-engine.ts'
import { useQuery } from '@tanstack/react-query'

const load = async (): Promise<true> => {
  provideExpressions((await import('@instep/contract/expression.ts')).jsonataEngine)
  return true
}

/** Brings what carries out expressions, once; true when it is here, or cannot be had. */
export const useExpressions = (): boolean =>
  useQuery({ queryKey: ['expressions'], queryFn: load, staleTime: Number.POSITIVE_INFINITY }).isFetched
