/** A time limit beside the caller's signal; `timedOut` tells which of them ended it. `done` lets go of both. */
export const limitTime = (timeoutMs: number, signal: AbortSignal) => {
  const controller = new AbortController()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    controller.abort()
  }, timeoutMs)
  const abort = () => controller.abort()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  const done = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, timedOut: () => timedOut, done }
}
