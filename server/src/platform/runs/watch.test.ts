import { describe, expect, it } from 'vitest'
import { watch } from './watch.ts'

const sights = (marks: readonly string[]) => {
  let at = 0
  return async () => {
    const mark = marks[Math.min(at, marks.length - 1)] ?? ''
    at += 1
    return { value: mark, mark, over: at >= marks.length }
  }
}

describe('a watcher', () => {
  it('sees what there is at once, then every change, and the end', async () => {
    const seen: string[] = []
    for await (const value of watch(sights(['a', 'a', 'b', 'b', 'c']), { signal: new AbortController().signal, pollMilliseconds: 1 }))
      seen.push(value)
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('that goes away ends the watch', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    for await (const value of watch(sights(['a', ...Array.from({ length: 1000 }, () => 'b')]), {
      signal: controller.signal,
      pollMilliseconds: 60_000,
    })) {
      seen.push(value)
      controller.abort()
    }
    expect(seen).toEqual(['a'])
  })
})
