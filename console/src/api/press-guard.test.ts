import { expect, test } from 'vitest'
import { createPressGuard } from './press-guard.ts'

const guarded = () => {
  const clock = { now: 1000 }
  return { clock, guard: createPressGuard(() => clock.now) }
}

test('a second press does not count while the first is under way, however long that takes', () => {
  const { clock, guard } = guarded()
  expect(guard.enter('a')).toBe(true)
  expect(guard.enter('a')).toBe(false)
  clock.now += 60_000
  expect(guard.enter('a')).toBe(false)
})

test('the second press of a double click does not count, though the first was answered in between', () => {
  const { clock, guard } = guarded()
  guard.enter('a')
  guard.leave('a', true)
  clock.now += 499
  expect(guard.enter('a')).toBe(false)
  clock.now += 1
  expect(guard.enter('a')).toBe(true)
})

test('after a failure pressing again counts at once', () => {
  const { guard } = guarded()
  guard.enter('a')
  guard.leave('a', false)
  expect(guard.enter('a')).toBe(true)
})

test('a press for something else counts', () => {
  const { guard } = guarded()
  guard.enter('a')
  expect(guard.enter('b')).toBe(true)
})
