import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import type { LeasedAccount } from './account.store.ts'
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts'

let now = 0
let kept: Set<string> | Error
let keeper: LeaseKeeper<LeasedAccount>
beforeEach(() => {
  now = 1_000_000
  kept = new Set()
  keeper = createLeaseKeeper({
    clock: { now: () => new Date(now) },
    log: silentLog,
    leaseSeconds: 10,
    renewSeconds: 3,
    idOf: ({ userId }) => userId,
    renewLeases: async () => {
      if (kept instanceof Error) throw kept
      return kept
    },
  })
})
afterEach(() => keeper.stop())

const holding = (userId: string) => {
  const row: LeasedAccount = {
    userId,
    lease: `lease of ${userId}`,
    leasedUntil: new Date(now + 10_000),
    dueSince: '-infinity',
    revision: 1,
    attempts: 0,
    cause: null,
    removal: null,
    correlationId: null,
    remoteId: null,
    applied: null,
    appliedHash: null,
    uncertain: false,
  }
  const held = { row, abort: new AbortController() }
  keeper.hold(held)
  return held
}

test('a row somebody else took over is ended, the others go on and last longer', async () => {
  const [mine, taken] = [holding('mine'), holding('taken')]
  kept = new Set(['mine'])
  now += 9000
  await keeper.renew()
  expect([mine.abort.signal.aborted, taken.abort.signal.aborted]).toEqual([false, true])
  now += 9000
  expect([keeper.mayAct(mine), keeper.mayAct(taken)]).toEqual([true, false])
})

test('a renewal that fails ends every request', async () => {
  const held = holding('a')
  kept = new Error('the database is away')
  await keeper.renew()
  expect(held.abort.signal.aborted).toBe(true)
  expect(keeper.mayAct(held)).toBe(false)
})

test('a process that slept past the end of its leases acts no more', async () => {
  const held = holding('a')
  now += 10_000
  expect(keeper.mayAct(held)).toBe(false)
  kept = new Set(['a'])
  await keeper.renew()
  expect(held.abort.signal.aborted).toBe(true)
})

test('a row that was let go during the renewal is not ended', async () => {
  const held = holding('a')
  const renewing = keeper.renew()
  keeper.letGo('a')
  await renewing
  expect(held.abort.signal.aborted).toBe(false)
})
