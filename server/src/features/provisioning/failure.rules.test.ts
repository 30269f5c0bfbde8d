import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterFailure, backoff, blameOf, type Failure, MAX_ATTEMPTS } from './failure.rules.ts'

const now = new Date('2026-03-01T08:00:00Z')
const failure = (code: string, more: Partial<Failure> = {}): Failure => ({
  code,
  detail: 'no',
  retryable: true,
  retryAfterSeconds: undefined,
  ...more,
})
const facts = { attempts: 0, now, targetFailing: false, resumesAt: null, random: () => 0.5 }

test.each([
  ['TARGET_UNREACHABLE', undefined, 'target'],
  ['TARGET_UNAUTHORISED', undefined, 'target'],
  ['TARGET_THROTTLED', undefined, 'target'],
  ['TARGET_UNAVAILABLE', 30, 'target'],
  ['TARGET_UNAVAILABLE', undefined, 'unclear'],
  ['TARGET_UNCERTAIN', undefined, 'unclear'],
  ['TARGET_FORBIDDEN', undefined, 'unclear'],
  ['TARGET_UNEXPECTED', undefined, 'unclear'],
  ['TARGET_REFUSED', undefined, 'person'],
  ['TARGET_AMBIGUOUS', undefined, 'person'],
  ['TARGET_TAKEN', undefined, 'person'],
  ['something new', undefined, 'unclear'],
])('%s with Retry-After %s is held against: %s', (code, retryAfterSeconds, blame) => {
  expect(blameOf(failure(code, { retryAfterSeconds }))).toBe(blame)
})

describe('what becomes of an account', () => {
  test('refused for what it is: set aside at once', () => {
    expect(afterFailure(failure('TARGET_REFUSED', { retryable: false }), facts)).toMatchObject({ state: 'quarantined', attempts: 1 })
  })
  test('the last attempt: set aside', () => {
    expect(afterFailure(failure('TARGET_UNCERTAIN'), { ...facts, attempts: MAX_ATTEMPTS - 1 })).toMatchObject({ state: 'quarantined' })
  })
  test('the last attempt at a target that works for nobody: kept', () => {
    const kept = afterFailure(failure('TARGET_UNCERTAIN'), { ...facts, attempts: MAX_ATTEMPTS - 1, targetFailing: true })
    expect(kept).toMatchObject({ state: 'failed', attempts: MAX_ATTEMPTS - 1 })
  })
  test('the fault of the target: waits for it, uncounted', () => {
    const resumesAt = new Date('2026-03-01T08:01:00Z')
    expect(afterFailure(failure('TARGET_UNREACHABLE'), { ...facts, attempts: 3, resumesAt })).toEqual({
      state: 'paused',
      attempts: 3,
      nextTryAt: resumesAt,
    })
  })
  test('the target names a time: not before it', () => {
    const later = afterFailure(failure('TARGET_UNCERTAIN', { retryAfterSeconds: 90 }), facts)
    expect(Number(later.nextTryAt) - now.getTime()).toBe(90_000)
  })
  test('a person is at it: pending, without a next time and without counting', () => {
    expect(afterFailure(failure('TARGET_WAITS'), { ...facts, attempts: 7 })).toEqual({
      state: 'pending',
      attempts: 7,
      nextTryAt: 'infinity',
    })
  })
})

test('waits double, never pass the longest, and spread over half their length', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (attempt, value) => {
      const wait = backoff(attempt, { random: () => value })
      const full = Math.min(300, 2 ** (attempt - 1)) * 1000
      expect(wait).toBeGreaterThanOrEqual(full / 2)
      expect(wait).toBeLessThan(full)
    }),
    { seed: 1 },
  )
})
