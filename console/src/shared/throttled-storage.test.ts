import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type TextStorage, throttledStorage } from './throttled-storage.ts'

const memory = () => {
  const kept = new Map<string, string>()
  const writes: string[] = []
  const storage: TextStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => {
      writes.push(text)
      kept.set(name, text)
    },
    removeItem: (name) => void kept.delete(name),
  }
  return { kept, writes, storage }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is stored but broken counts as absent', () => {
  const { kept, storage } = memory()
  kept.set('instep', '{"state":')
  expect(throttledStorage(storage, 1000).getItem('instep')).toBeNull()
})

test('a storage that refuses is passed over', () => {
  const { storage } = memory()
  const refusing = throttledStorage<number>(
    {
      ...storage,
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    },
    1000,
  )
  refusing.setItem('instep', { state: 1 })
  expect(() => refusing.flush()).not.toThrow()
})

test('a hundred changes within a second are one write, of the last state', () => {
  const { writes, storage } = memory()
  const throttled = throttledStorage<number>(storage, 1000)
  for (let state = 1; state <= 100; state += 1) throttled.setItem('instep', { state })
  vi.advanceTimersByTime(999)
  expect(writes).toEqual([])
  vi.advanceTimersByTime(1)
  expect(writes).toEqual(['{"state":100}'])
})

test('changes that go on are written once per second', () => {
  const { writes, storage } = memory()
  const throttled = throttledStorage<number>(storage, 1000)
  for (let state = 1; state <= 40; state += 1) {
    throttled.setItem('instep', { state })
    vi.advanceTimersByTime(100)
  }
  expect(writes.length).toBe(4)
})

test('flushing writes at once what waits, and nothing twice', () => {
  const { writes, storage } = memory()
  const throttled = throttledStorage<number>(storage, 1000)
  throttled.setItem('instep', { state: 7 })
  throttled.flush()
  throttled.flush()
  vi.advanceTimersByTime(5000)
  expect(writes).toEqual(['{"state":7}'])
})
