import { expect, it } from 'vitest'
import { createListLanes } from './list-lanes.ts'

/** A list whose reading ends when it is told to. */
const list = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const read = () => {
    state.begun = true
    return promise
  }
  const state = { begun: false, end: resolve, read }
  return state
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('reads so many lists at one time, and the others in the order they came', async () => {
  const lanes = createListLanes(2)
  const lists = [list(), list(), list(), list()]
  const read = lists.map((one) => lanes({}, one.read))
  await turn()
  expect(lists.map(({ begun }) => begun)).toEqual([true, true, false, false])
  lists[1]?.end()
  await turn()
  expect(lists.map(({ begun }) => begun)).toEqual([true, true, true, false])
  for (const { end } of lists) end()
  await Promise.all(read)
})

it('never lets a list wait behind those that look for people', async () => {
  const lanes = createListLanes(1)
  const [search, condition, plain] = [list(), list(), list()]
  const read = [lanes({ searchText: 'amara' }, search.read), lanes({ filters: {} }, condition.read), lanes({ searchText: '' }, plain.read)]
  await turn()
  expect([search.begun, condition.begun, plain.begun]).toEqual([true, false, true])
  for (const { end } of [search, condition, plain]) end()
  await Promise.all(read)
})

it('goes on after a list that failed', async () => {
  const lanes = createListLanes(1)
  await expect(lanes({}, () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(await lanes({}, () => Promise.resolve('read'))).toBe('read')
})
