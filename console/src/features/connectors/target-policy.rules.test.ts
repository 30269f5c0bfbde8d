import { DEFAULT_TARGET_POLICY, TargetPolicy } from '@instep/contract/target-policy.ts'
import { describe, expect, test } from 'vitest'
import { readTyped, type TypedPolicy, typedPolicy } from './target-policy.rules.ts'

const typed = typedPolicy(DEFAULT_TARGET_POLICY)
const guards = (wrong: object) => ({ guards: { ...typed.guards, members: { ...typed.guards.members, ...wrong } } })
const account = (value: string, reason = '') => ({ protectedAccounts: [{ by: 'userName' as const, value, reason }] })

test.each<Partial<TypedPolicy>>([
  { graceDays: '' },
  { graceDays: '1.5' },
  { graceDays: '3651' },
  { graceDays: '-1' },
  guards({ percent: '101' }),
  guards({ number: 'five' }),
  guards({ number: '' }),
  { concurrency: '0' },
  { concurrency: '257' },
  { perSecond: '0' },
  { perSecond: '10001' },
  account('**'),
  account(''),
  account('a'.repeat(301)),
  account('a', 'r'.repeat(301)),
])('%j is not read', (wrong) => {
  expect(readTyped({ ...typed, ...wrong })).toBeUndefined()
})

test('what was typed is what was stored; an empty pace is none, and a comma stands for a point', () => {
  expect(readTyped(typed)).toEqual(DEFAULT_TARGET_POLICY)
  expect(readTyped({ ...typed, perSecond: '2,5', concurrency: '4' })?.pace).toEqual({ perSecond: 2.5, concurrency: 4 })
})

describe('at the edge of its range', () => {
  test.each<Partial<TypedPolicy>>([
    { graceDays: '0' },
    { graceDays: '3650' },
    guards({ percent: '100' }),
    guards({ number: '10000000' }),
    { concurrency: '256' },
    { perSecond: '0.1' },
    { perSecond: '10000' },
    account('*a'.repeat(150), 'r'.repeat(300)),
  ])('%j is read, as the service takes it', (edge) => {
    const read = readTyped({ ...typed, ...edge })
    expect(TargetPolicy.parse(read)).toEqual(read)
  })
})
