import { describe, expect, it } from 'vitest'
import { rejectRun } from './decide-run.ts'
import { FEED_MAPPING, feedSeason, modelTaker, type Taken, type Taker } from './testing/feeds.ts'
import { ADMIN, syncWorld } from './testing/sync-world.ts'

/** The product on a real database, held to what the model says of every feed. */
const productTaker = async (findings: string[]): Promise<Taker> => {
  const world = await syncWorld()
  const model = modelTaker()
  let planned: { id: string; state: Taken['state'] } | undefined
  let first = true
  return {
    plan: async (feed, at) => {
      world.setTime(at)
      const expected = await model.plan(feed, at)
      // a file that cannot be read at all is refused before there is a run
      const id = await world.start(await world.store(feed), first ? FEED_MAPPING : undefined).catch(() => null)
      if (id === null) {
        planned = undefined
        if (expected.state !== 'failed') findings.push(`was refused, and not by the model: ${expected.reasons.join(', ')}`)
        return { state: 'failed', deactivations: 0, reasons: [] }
      }
      const run = await world.until(id, ['planned', 'held', 'failed'])
      planned = { id, state: run.state as Taken['state'] }
      const taken: Taken = { state: planned.state, deactivations: run.counts.deactivate, reasons: run.heldBy.map(({ code }) => code) }
      if (taken.state !== 'failed' && JSON.stringify(taken) !== JSON.stringify(expected))
        findings.push(`${JSON.stringify(taken)}, by the model ${JSON.stringify(expected)}`)
      return taken
    },
    end: async (apply) => {
      await model.end(apply)
      if (!planned || planned.state === 'failed') return
      first = first && !apply
      if (apply) await world.apply(planned, 'as it should be')
      else await rejectRun(world.deps, { tenantId: world.tenantId, runId: planned.id, by: ADMIN })
      planned = undefined
    },
    close: async () => {
      await model.close()
      await world.close()
    },
  }
}

describe('feeds that are not what they should be take nobody beyond the guard, and those that are go through', () => {
  it('over 100 seasons of a source', { timeout: 120_000 }, async () => {
    const findings: string[] = []
    let held = 0
    for (let seed = 1; seed <= 100; seed += 1) {
      const taker = modelTaker()
      const report = await feedSeason(seed, { taker, days: 6, most: 200 })
      await taker.close()
      findings.push(...report.findings)
      held += report.held
    }
    expect(findings).toEqual([])
    // most bad feeds were seen as such, so that the seasons are worth something
    expect(held).toBeGreaterThan(300)
  })

  // each with a database of its own, for which it waits most of the time
  it.concurrent.each([1, 2, 3, 4])('in the product as in its model: season %i', { timeout: 120_000 }, async (seed) => {
    const findings: string[] = []
    const taker = await productTaker(findings)
    const report = await feedSeason(seed * 1000, { taker, days: 3, most: 120 })
    await taker.close()
    expect([...findings, ...report.findings]).toEqual([])
  })
})
