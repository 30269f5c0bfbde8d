/** How well the workplace answers: what tests and people turn to see how a client copes. */

export const WEATHERS = {
  fine: { name: 'Fine', what: 'Every request is answered at once.' },
  slow: { name: 'Slow', what: 'Every request waits 200 ms.' },
  failing: { name: 'Failing', what: 'Every request is answered 500.' },
  busy: { name: 'Busy', what: 'Every request is answered 429 with Retry-After: 1.' },
} as const

export type Weather = keyof typeof WEATHERS

export const isWeather = (value: unknown): value is Weather => typeof value === 'string' && Object.hasOwn(WEATHERS, value)

export const SLOW_MS = 200
export const RETRY_AFTER_SECONDS = 1
