import { setTimeout as pause } from 'node:timers/promises'

/** What a watcher sees at one moment; news when `mark` differs from the one before. */
export interface Sight<T> {
  readonly value: T
  readonly mark: string
  /** Nothing more will happen. */
  readonly over: boolean
}

/**
 * Looks again and again and yields what is new: at once, at every change, until it is over or the watcher goes away. It asks the database, so
 * that it sees what any process does.
 */
export async function* watch<T>(
  look: () => Promise<Sight<T>>,
  options: { signal: AbortSignal; pollMilliseconds: number },
): AsyncGenerator<T> {
  let seen: string | undefined
  while (!options.signal.aborted) {
    const sight = await look()
    if (sight.mark !== seen) yield sight.value
    if (sight.over) return
    seen = sight.mark
    await pause(options.pollMilliseconds, undefined, { signal: options.signal }).catch(() => undefined)
  }
}
