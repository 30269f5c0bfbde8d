import type { Endpoint, ResponseOf } from '@instep/contract/endpoint.ts'
import {
  type InfiniteData,
  keepPreviousData,
  type MutateOptions,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useApi } from './api-context.tsx'
import type { CallInput } from './create-api.ts'
import { createPressGuard, type Press } from './press-guard.ts'

/** The cache key of a call; `[endpoint.id]` alone matches every call of the endpoint, for `invalidateQueries`. */
export const endpointKey = (endpoint: Endpoint, input?: unknown): readonly unknown[] =>
  input === undefined ? [endpoint.id] : [endpoint.id, input]

interface Options {
  /** False holds the call back until what it needs is known. */
  enabled?: boolean
  refetchInterval?: number | false
  staleTime?: number
  /** The old answer stays while the one for a new input loads: for lists, never for one person or thing. */
  keepOld?: boolean
}

/** The answer of a GET (or search) call, cached under its endpoint and input. */
export const useEndpoint = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { keepOld = false, ...options }: Options = {},
): UseQueryResult<ResponseOf<E>, Error> => {
  const api = useApi()
  return useQuery({
    queryKey: endpointKey(endpoint, input),
    queryFn: ({ signal }) => api.call(endpoint, { ...input, signal }),
    ...(keepOld ? { placeholderData: keepPreviousData } : {}),
    ...options,
  }) as UseQueryResult<ResponseOf<E>, Error>
}

type Told<Input, Answer> = Pick<MutateOptions<Answer, Error, Input>, 'onSuccess' | 'onError' | 'onSettled'>

/** What a press sets going, and how it went. */
export type Work<Input, Answer> = Pick<
  UseMutationResult<Answer, Error, Input>,
  'data' | 'error' | 'isPending' | 'isSuccess' | 'reset' | 'variables'
> & {
  mutate: (input: Input, told?: Told<Input, Answer>) => void
}

const pressOf = (input: { params?: unknown; query?: unknown }): Press => ({
  about: JSON.stringify([input.params, input.query]),
  whole: JSON.stringify(input),
})

/**
 * Work that is set going once for a press: Enter twice, or a press while the one before is under way, is one. What it is about is `params` and
 * `query`; two presses that differ in their `body` are about the same.
 */
export const useWork = <Input extends object, Answer>(
  work: (input: Input) => Promise<Answer>,
  options: Omit<UseMutationOptions<Answer, Error, Input>, 'mutationFn'> = {},
): Work<Input, Answer> => {
  const [guard] = useState(createPressGuard)
  const mutationFn = async (input: Input): Promise<Answer> => {
    let carriedOut = false
    try {
      const answer = await work(input)
      carriedOut = true
      return answer
    } finally {
      guard.leave(pressOf(input), carriedOut)
    }
  }
  const mutation = useMutation<Answer, Error, Input>({ mutationFn, ...options })
  const { mutate } = mutation
  const press = useCallback(
    (input: Input, told?: Told<Input, Answer>) => {
      if (guard.enter(pressOf(input))) mutate(input, told ?? {})
    },
    [guard, mutate],
  )
  return { ...mutation, mutate: press }
}

/** A call that changes something. `mutate(input)`; on success invalidate what it changed with `endpointKey`. */
export const useAction = <E extends Endpoint>(
  endpoint: E,
  options: Omit<UseMutationOptions<ResponseOf<E>, Error, CallInput<E>>, 'mutationFn'> = {},
): Work<CallInput<E>, ResponseOf<E>> => {
  const api = useApi()
  return useWork((input) => api.call(endpoint, input), options)
}

interface PageShape {
  data: readonly unknown[]
  continuationToken: string | null
}

/**
 * Pages of a list, grown by `fetchNextPage`. `inputOf` puts the continuation token (null on the first page) where the endpoint takes it;
 * `key` names what the list depends on besides the token.
 */
export const usePages = <E extends Endpoint>(
  endpoint: E,
  { key, inputOf, enabled = true }: { key: unknown; inputOf: (continuationToken: string | null) => CallInput<E>; enabled?: boolean },
) => {
  const api = useApi()
  const query = useInfiniteQuery<ResponseOf<E>, Error, InfiniteData<ResponseOf<E>, string | null>, readonly unknown[], string | null>({
    queryKey: endpointKey(endpoint, key),
    queryFn: ({ pageParam, signal }) => api.call(endpoint, { ...inputOf(pageParam), signal }),
    initialPageParam: null,
    getNextPageParam: (last) => (last as PageShape).continuationToken,
    enabled,
    placeholderData: keepPreviousData,
  })
  const pages = query.data?.pages
  return { ...query, pages, rows: pages?.flatMap((page) => (page as PageShape).data) as RowsOf<ResponseOf<E>> | undefined }
}

/** Every row of a list, page after page until there is no further token: for what is picked from. Undefined until all are there. */
export const useEveryPage = <E extends Endpoint>(
  endpoint: E,
  {
    key,
    inputOf,
    ...options
  }: { key: unknown; inputOf: (continuationToken: string | null) => CallInput<E>; enabled?: boolean; staleTime?: number },
) => {
  const api = useApi()
  return useQuery({
    queryKey: endpointKey(endpoint, ['every', key]),
    queryFn: async ({ signal }) => {
      const rows: unknown[] = []
      let token: string | null = null
      do {
        const page = (await api.call(endpoint, { ...inputOf(token), signal })) as PageShape
        rows.push(...page.data)
        token = page.continuationToken
      } while (token !== null)
      return rows as RowsOf<ResponseOf<E>>
    },
    ...options,
  })
}

type RowsOf<Response> = Response extends { data: (infer Row)[] } ? Row[] : never
