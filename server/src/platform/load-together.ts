/**
 * Lets callers who want the same thing at one time share one loading of it. Nobody is given what began to be loaded before they asked: whoever comes
 * while it is under way waits for the next loading, together with everybody else who came meanwhile. A failure reaches those who shared it, and
 * nothing is kept.
 *
 * @param keyOf what is the same for those who want the same
 */
export const loadTogether = <Asked, Loaded>(
  load: (asked: Asked) => Promise<Loaded>,
  keyOf: (asked: Asked) => string,
): ((asked: Asked) => Promise<Loaded>) => {
  const running = new Map<string, Promise<Loaded>>()
  const waiting = new Map<string, Promise<Loaded>>()
  const start = (key: string, asked: Asked): Promise<Loaded> => {
    waiting.delete(key)
    const loading = load(asked).finally(() => {
      if (running.get(key) === loading) running.delete(key)
    })
    running.set(key, loading)
    return loading
  }
  return (asked) => {
    const key = keyOf(asked)
    const before = running.get(key)
    if (!before) return start(key, asked)
    const again = () => start(key, asked)
    const next = waiting.get(key) ?? before.then(again, again)
    waiting.set(key, next)
    return next
  }
}
