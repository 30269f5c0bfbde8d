import { type Dispatcher, Pool } from 'undici'

/** Connections to a target with a look at each request before it is sent and after its reply began. */
export const watchedDispatcher = (
  origin: string,
  { connections, sends, replied }: { connections: number; sends: (method: string) => number; replied: (count: number) => void },
): Dispatcher => {
  const pool = new Pool(origin, { connections })
  const { dispatch } = pool
  return Object.assign(pool, {
    dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
      const count = sends(options.method)
      return dispatch.call(pool, options, {
        ...handler,
        onResponseStart: (...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>) => {
          replied(count)
          handler.onResponseStart?.(...given)
        },
      })
    },
  })
}
