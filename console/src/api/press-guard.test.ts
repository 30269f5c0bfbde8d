import { expect, test } from 'vitest'
import { createPressGuard, type Press } from './press-guard.ts'

const LOCK: Press = { about: 'a', whole: 'a lock' }
const UNLOCK: Press = { about: 'a', whole: 'a unlock' }
const OTHER: Press = { about: 'b', whole: 'b lock' }

const guarded = () => {
  const clock = { now: 1000 }
  return { clock, guard: createPressGuard(() => clock.now) }
}

test('a second press about the same does not count while the first is under way, however long that takes', () => {
  const { clock, guard } = guarded()
  expect(guard.enter(LOCK)).toBe(true)
  expect(guard.enter(LOCK)).toBe(false)
  clock.now += 60_000
  expect([guard.enter(LOCK), guard.enter(UNLOCK)]).toEqual([false, false])
})

test('the very same press does not count shortly after it was carried out, and counts again later', () => {
  const { clock, guard } = guarded()
  guard.enter(LOCK)
  guard.leave(LOCK, true)
  clock.now += 499
  expect(guard.enter(LOCK)).toBe(false)
  clock.now += 1
  expect(guard.enter(LOCK)).toBe(true)
})

test('a press that says something else counts as soon as the one before is over', () => {
  const { guard } = guarded()
  guard.enter(LOCK)
  guard.leave(LOCK, true)
  expect(guard.enter(UNLOCK)).toBe(true)
})

test('after a failure pressing again counts at once', () => {
  const { guard } = guarded()
  guard.enter(LOCK)
  guard.leave(LOCK, false)
  expect(guard.enter(LOCK)).toBe(true)
})

test('a press about something else counts', () => {
  const { guard } = guarded()
  guard.enter(LOCK)
  expect(guard.enter(OTHER)).toBe(true)
})
