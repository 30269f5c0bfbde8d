import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { type Breaker, createBreaker } from './breaker.ts'
import type { Failure } from './failure.rules.ts'

let now = 0
let breaker: Breaker
const clock = { now: () => new Date(now) }
beforeEach(() => {
  now = Date.parse('2026-03-01T08:00:00Z')
  breaker = createBreaker({ clock, random: () => 0, most: 32 })
})
const failure = (code: string, retryAfterSeconds?: number): Failure => ({ code, detail: '', retryable: true, retryAfterSeconds })

test('one person who fails again and again does not stop the target', () => {
  for (let n = 0; n < 100; n++) breaker.failed('same', failure('TARGET_UNCERTAIN'))
  expect(breaker.room()).toBe(32)
})

test('people the target refuses for what they are do not stop it', () => {
  for (let n = 0; n < 100; n++) breaker.failed(`p${n}`, failure('TARGET_REFUSED'))
  expect(breaker.room()).toBe(32)
})

test('four people failing with one success after them do not stop it, five in a row do', () => {
  for (let n = 0; n < 4; n++) breaker.failed(`p${n}`, failure('TARGET_UNCERTAIN'))
  breaker.succeeded()
  for (let n = 0; n < 4; n++) breaker.failed(`q${n}`, failure('TARGET_UNCERTAIN'))
  expect(breaker.room()).toBe(32)
  breaker.failed('q4', failure('TARGET_UNCERTAIN'))
  expect(breaker.room()).toBe(0)
})

test('after a pause one request goes out; its failure doubles the pause, its success opens everything', () => {
  breaker.failed('a', failure('TARGET_UNREACHABLE'))
  expect([breaker.room(), breaker.resumesAt()?.getTime()]).toEqual([0, now + 500])
  now += 500
  expect(breaker.room()).toBe(1)
  breaker.failed('b', failure('TARGET_UNREACHABLE'))
  expect(breaker.resumesAt()?.getTime()).toBe(now + 1000)
  now += 1000
  breaker.succeeded()
  expect([breaker.room(), breaker.failing(), breaker.pauses()]).toEqual([32, false, 0])
})

test('answers to requests from before the pause neither lengthen nor end it, unless they name a later time', () => {
  breaker.failed('a', failure('TARGET_UNREACHABLE'))
  const until = breaker.resumesAt()
  breaker.failed('b', failure('TARGET_UNREACHABLE'))
  breaker.succeeded()
  expect(breaker.resumesAt()).toEqual(until)
  breaker.failed('c', failure('TARGET_THROTTLED', 40))
  expect(breaker.resumesAt()?.getTime()).toBe(now + 40_000)
})

test('a target that says "too much" gets half as many requests at a time, and slowly more again', () => {
  breaker.failed('a', failure('TARGET_THROTTLED', 1))
  now += 1000
  breaker.succeeded()
  expect(breaker.room()).toBe(16)
  for (let n = 0; n < 40; n++) breaker.succeeded()
  expect(breaker.room()).toBe(18)
})

test('whatever happens, it opens again by itself within an hour, and a success then opens it fully', () => {
  const step = fc.oneof(
    fc.record({
      code: fc.constantFrom('TARGET_UNREACHABLE', 'TARGET_UNCERTAIN', 'TARGET_THROTTLED', 'TARGET_REFUSED'),
      user: fc.integer({ min: 0, max: 9 }),
      after: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
    }),
    fc.constant('succeeded' as const),
    fc.integer({ min: 0, max: 100_000 }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const one = createBreaker({ clock, random: () => 0.9, most: 8 })
      for (const it of steps) {
        if (typeof it === 'number') now += it
        else if (it === 'succeeded') one.succeeded()
        else one.failed(String(it.user), failure(it.code, it.after))
        expect(one.room()).toBeLessThanOrEqual(8)
      }
      now += 3_600_000
      expect(one.room()).toBeGreaterThan(0)
      one.succeeded()
      expect(one.failing()).toBe(false)
    }),
    { seed: 2 },
  )
})
