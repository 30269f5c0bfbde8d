import { DEFAULT_TARGET_POLICY } from '@instep/contract/target-policy.ts'
import { expect, test } from 'vitest'
import { readTyped, typedPolicy } from './target-policy.rules.ts'

const typed = typedPolicy(DEFAULT_TARGET_POLICY)

test.each([
  { graceDays: '' },
  { graceDays: '1.5' },
  { guards: { ...typed.guards, accounts: { on: true, percent: '101', number: '5' } } },
  { guards: { ...typed.guards, members: { on: true, percent: '10', number: 'five' } } },
  { concurrency: '0' },
  { perSecond: '0' },
  { protectedAccounts: [{ by: 'userName' as const, value: '**', reason: '' }] },
])('%j is not read', (wrong) => {
  expect(readTyped({ ...typed, ...wrong })).toBeUndefined()
})

test('what was typed is what was stored; an empty pace is none, and a comma stands for a point', () => {
  expect(readTyped(typed)).toEqual(DEFAULT_TARGET_POLICY)
  expect(readTyped({ ...typed, perSecond: '2,5', concurrency: '4' })?.pace).toEqual({ perSecond: 2.5, concurrency: 4 })
})
