import { expect, test } from 'vitest'
import { lookAgainAfter } from './profile-targets.rules.ts'

const SOME_TIME = '2026-11-22T10:00:00.000Z'

test('a person whose accounts change only when somebody does something is not asked for again', () => {
  expect(lookAgainAfter([])).toBeNull()
  expect(lookAgainAfter([{ state: 'paused', nextTryAt: null }]), 'a target that was switched off').toBeNull()
  for (const state of ['inStep', 'quarantined', 'protected', 'held', 'leaving'] as const)
    expect(lookAgainAfter([{ state, nextTryAt: SOME_TIME }])).toBeNull()
})

test('an account on its way is looked at soon, one that waits for a paused target less often', () => {
  const paused = { state: 'paused', nextTryAt: SOME_TIME } as const
  const pending = { state: 'pending', nextTryAt: null } as const
  expect(lookAgainAfter([paused])).toBe(15_000)
  expect(lookAgainAfter([paused, pending])).toBe(2_500)
})
