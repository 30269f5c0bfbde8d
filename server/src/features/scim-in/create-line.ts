/**
 * Lets what has the same key happen one after the other. Pushes to one connector wait for each other in the database anyway; waiting here keeps a
 * busy client from holding every connection that others need.
 */
export const createLine = () => {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work)
    const over = mine.catch(() => undefined)
    last.set(key, over)
    void over.then(() => {
      if (last.get(key) === over) last.delete(key)
    })
    return mine
  }
}

export type Line = ReturnType<typeof createLine>
