import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadTogether } from './load-together.ts'

const same = (key: string): string => key

describe('what several want at one time', () => {
  it('fails for those who shared it, and is loaded afresh for the next', async () => {
    let times = 0
    const ask = loadTogether(async (_: string) => {
      times++
      if (times === 1) throw new Error('the database is away')
      return times
    }, same)
    const [first, second] = await Promise.allSettled([ask('a'), ask('a')])
    expect(first).toMatchObject({ status: 'rejected' })
    expect(second).toEqual({ status: 'fulfilled', value: 2 })
    expect(await ask('a')).toBe(3)
  })

  it('is loaded twice for however many ask at once, and once for each who asks alone', async () => {
    let times = 0
    const ask = loadTogether(async (key: string) => {
      times++
      await Promise.resolve()
      return key
    }, same)
    expect(await Promise.all(Array.from({ length: 20 }, () => ask('a')))).toEqual(Array.from({ length: 20 }, () => 'a'))
    expect(times).toBe(2)
    for (let time = 0; time < 3; time++) await ask('a')
    expect(times).toBe(5)
  })

  it('never began to be loaded before it was asked for, and is never that of another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 12 }), async (scheduler, keys) => {
        let moment = 0
        const ask = loadTogether(async (key: string) => {
          const began = ++moment
          await scheduler.schedule(Promise.resolve())
          return { key, began }
        }, same)
        const asked = keys.map(async (key) => {
          await scheduler.schedule(Promise.resolve())
          const at = ++moment
          return { key, at, got: await ask(key) }
        })
        await scheduler.waitFor(Promise.all(asked))
        for (const { key, at, got } of await Promise.all(asked)) {
          expect(got.key).toBe(key)
          expect(got.began).toBeGreaterThan(at)
        }
      }),
      { seed: 8, numRuns: 300 },
    )
  })
})
