import { expect, test } from 'vitest'
import { goesOn } from './use-list-run.ts'

test('a run goes on until it has ended', () => {
  const states = ['queued', 'running', 'succeeded', 'partlySucceeded', 'failed', 'cancelled'] as const
  expect(states.filter((state) => goesOn({ state }))).toEqual(['queued', 'running'])
})
