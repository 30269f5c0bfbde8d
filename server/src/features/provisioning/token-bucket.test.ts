import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokenBucket } from './token-bucket.ts'

const clockAt = () => {
  let now = 0
  return { now: () => new Date(now), advance: (milliseconds: number) => (now += milliseconds) }
}

test('no second holds more requests than allowed, a tenth of a second’s worth at the start aside', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), gaps, (perSecond, pauses) => {
      const clock = clockAt()
      const bucket = createTokenBucket({ clock })
      bucket.setRate(perSecond)
      const sent = pauses.map((pause) => {
        clock.advance(pause)
        return clock.now().getTime() + bucket.take(1)
      })
      for (const start of sent) {
        const within = sent.filter((time) => time >= start && time < start + 1000).length
        expect(within).toBeLessThanOrEqual(Math.ceil(perSecond * 1.1) + 1)
      }
    }),
    { seed: 14, numRuns: 200 },
  )
})

test('without a rate nobody waits; with one those who come together wait in turn', () => {
  const clock = clockAt()
  const bucket = createTokenBucket({ clock })
  expect([bucket.take(1), bucket.take(1), bucket.take(1)]).toEqual([0, 0, 0])
  bucket.setRate(2)
  clock.advance(10_000)
  expect([bucket.take(1), bucket.take(2), bucket.take(1)]).toEqual([0, 500, 1500])
})
