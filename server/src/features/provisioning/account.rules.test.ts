import { expect, test } from 'vitest'
import { firstStep } from './account.rules.ts'

const document = { userName: 'ada' }
const applied = { userName: 'old' }
const known = { remoteId: null, applied: null, appliedHash: null, uncertain: false }
const there = { remoteId: '7', applied, appliedHash: 'old', uncertain: false }
const wanted = { document, hash: 'new', active: true }
const left = { ...wanted, active: false }

const update = (before: typeof applied | undefined) => ({ act: 'update', remoteId: '7', before })

test.each([
  { title: 'no account and not active: nothing', account: known, wish: left, step: { act: 'nothing' } },
  { title: 'no account, active: create', account: known, wish: wanted, step: { act: 'create' } },
  { title: 'perhaps an account, active: find first', account: { ...known, uncertain: true }, wish: wanted, step: { act: 'find' } },
  {
    title: 'perhaps an account, not active: find it, or it would stay on',
    account: { ...known, uncertain: true },
    wish: left,
    step: { act: 'find' },
  },
  { title: 'an account as wanted: nothing', account: { ...there, appliedHash: 'new' }, wish: wanted, step: { act: 'nothing' } },
  { title: 'an account that differs: update from what was confirmed', account: there, wish: wanted, step: update(applied) },
  {
    title: 'confirmed, but something else may have been written since: write all',
    account: { ...there, appliedHash: 'new', uncertain: true },
    wish: wanted,
    step: update(undefined),
  },
  { title: 'what is held is not known: write all', account: { ...there, applied: null }, wish: wanted, step: update(undefined) },
  { title: 'an account of somebody who left is switched off', account: there, wish: left, step: update(applied) },
])('$title', ({ account, wish, step }) => {
  expect(firstStep(account, wish, 'disable')).toEqual(step)
})

test('where leavers are deleted, the account of somebody who left is deleted, known to be as wanted or not', () => {
  for (const uncertain of [false, true])
    expect(firstStep({ ...there, uncertain }, left, 'delete')).toEqual({ act: 'delete', remoteId: '7' })
})
