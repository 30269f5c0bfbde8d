import { expect, it } from 'vitest'
import { crashRounds } from './crash-rounds.ts'

it('loses nothing and does nothing twice when server or database are killed at 20 random moments', { timeout: 400_000 }, async () => {
  const report = await crashRounds({ rounds: 20, people: 1200, seed: 20_261_121 })
  expect(report.findings).toEqual([])
  expect(report.postmasterKills).toBe(10)
  expect(report.amidWork).toBeGreaterThan(5)
})
