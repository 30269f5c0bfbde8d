import { expect, test } from 'vitest'
import { takeTurns } from './take-turns.ts'

test('A loop is not held up before it has had its turn', () => {
  let time = 0
  const turn = takeTurns(() => time)
  time = 49
  expect(turn()).toBeUndefined()
})

test('A loop that has had its turn lets whatever waits go first, and then has a whole turn again', async () => {
  let time = 0
  const turn = takeTurns(() => time)
  let others = 0
  setImmediate(() => {
    others += 1
  })
  time = 50
  const pause = turn()
  expect(pause).toBeInstanceOf(Promise)
  await pause
  expect(others).toBe(1)
  time = 99
  expect(turn()).toBeUndefined()
})
