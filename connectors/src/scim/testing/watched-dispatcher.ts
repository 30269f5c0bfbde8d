import { type Dispatcher, Pool } from 'undici'

/** Connections to a target with a look at each request before it is sent and after its reply began. */
export const watchedDispatcher = (
  origin: string,
  { connections, sends, replied }: { connections: number; sends: (method: string) => number; replied: (count: number) => void },
): Dispatcher => {
  const pool = new Pool(origin, { connections })
  const { request } = pool
  return Object.assign(pool, {
    request: async (...given: Parameters<typeof request>) => {
      const count = sends((given[0] as { method?: string }).method ?? 'GET')
      const answer = await request.apply(pool, given)
      replied(count)
      return answer
    },
  })
}
