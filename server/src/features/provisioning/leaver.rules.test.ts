import { DEFAULT_TARGET_POLICY, type LeaverAction } from '@instep/contract/target-policy.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsPattern, intentOf, isAllowed, isListed } from './leaver.rules.ts'

const account = { remoteId: '7', applied: null, appliedHash: null, uncertain: false }
const leftAt = new Date('2026-03-01T08:00:00Z')
const gone = { leftAt, keptUntil: null, protection: null }
const at = (days: number, action: LeaverAction, graceDays = 30) => ({
  policy: { ...DEFAULT_TARGET_POLICY, leaver: { action, graceDays } },
  now: new Date(leftAt.getTime() + days * 86_400_000),
})

describe('what becomes of an account', () => {
  test('nothing is removed of somebody protected, whatever the policy removes', () => {
    for (const action of ['disable', 'delete'] as const)
      expect(intentOf(account, { ...gone, protection: 'PROTECTED_VIP' }, at(400, action))).toEqual({
        to: 'keep',
        state: 'protected',
        cause: 'PROTECTED_VIP',
      })
  })

  test('nothing is removed of whoever is active, or has no account', () => {
    expect(intentOf(account, null, at(400, 'delete'))).toEqual({ to: 'follow' })
    expect(intentOf({ ...account, remoteId: null }, gone, at(400, 'delete'))).toEqual({ to: 'follow' })
  })

  test.each([
    ['disable', 400, { to: 'remove', removal: 'disable', deleteAt: null }],
    ['unlink', 0, { to: 'unlink' }],
    ['ignore', 400, { to: 'keep', state: 'inStep', cause: null }],
  ] as const)('%s after %i days', (action, days, intent) => {
    expect(intentOf(account, gone, at(days, action))).toEqual(intent)
  })

  test('nothing is deleted while the source keeps the person, and the later of both dates counts', () => {
    const kept = new Date('2026-04-10T08:00:00Z')
    const held = { to: 'remove', removal: 'delete', deleteAt: kept }
    expect(intentOf(account, { ...gone, keptUntil: kept }, at(0, 'delete', 0))).toEqual(held)
    expect(intentOf(account, { ...gone, keptUntil: kept }, at(39.999, 'delete'))).toEqual(held)
    expect(intentOf(account, { ...gone, keptUntil: kept }, at(40, 'delete'))).toMatchObject({ deleteAt: null })
    const later = new Date('2026-05-30T08:00:00Z')
    expect(intentOf(account, { ...gone, keptUntil: kept }, at(40, 'delete', 90))).toMatchObject({ deleteAt: later })
  })

  test('it is disabled until the grace period ends, and deleted from that moment on', () => {
    const end = new Date('2026-03-31T08:00:00Z')
    expect(intentOf(account, gone, at(29.999, 'delete'))).toEqual({ to: 'remove', removal: 'delete', deleteAt: end })
    expect(intentOf(account, gone, at(30, 'delete'))).toEqual({ to: 'remove', removal: 'delete', deleteAt: null })
    expect(intentOf(account, gone, at(0, 'delete', 0))).toEqual({ to: 'remove', removal: 'delete', deleteAt: null })
  })
})

test('who was let be disabled is not let be deleted', () => {
  expect(isAllowed('disable', 'delete')).toBe(false)
  expect(isAllowed(null, 'disable')).toBe(false)
  expect(isAllowed('rejected', 'disable')).toBe(false)
  expect(isAllowed('delete', 'disable')).toBe(true)
  expect(isAllowed('approved', 'delete')).toBe(true)
})

describe('patterns', () => {
  test.each([
    ['svc-mail@example.com', 'svc-*@example.com', true],
    ['SVC-mail@Example.com', 'svc-*@example.com', true],
    ['asvc-mail@example.com', 'svc-*@example.com', false],
    ['svc-mail@example.com.evil', 'svc-*@example.com', false],
    ['aba', 'ab*ba', false],
    ['a.b', 'a?b', false],
    ['admin', 'admin', true],
  ])('%s and %s: %s', (name, pattern, fits) => {
    expect(fitsPattern(name, pattern)).toBe(fits)
  })

  test('they agree with the regular expression that says the same', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 }), piece, (name, pattern) => {
        expect(fitsPattern(name, pattern)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name))
      }),
      { seed: 14, numRuns: 1000 },
    )
  })

  test('an account is listed by its id exactly or by any of its names', () => {
    const list = [
      { by: 'remoteId' as const, value: '42', reason: '' },
      { by: 'userName' as const, value: 'break-glass*', reason: '' },
    ]
    expect(isListed(list, { remoteId: '4', userNames: [undefined, 'ada'] })).toBe(false)
    expect(isListed(list, { remoteId: '42', userNames: [] })).toBe(true)
    expect(isListed(list, { remoteId: null, userNames: [undefined, 'Break-Glass 1'] })).toBe(true)
  })
})
