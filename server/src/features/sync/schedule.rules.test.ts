import { describe, expect, it } from 'vitest'
import { isSilent, nextTimes } from './schedule.rules.ts'

const times = (cron: string, after: string, count = 4) =>
  nextTimes({ cron, timeZone: 'Europe/Paris' }, new Date(after), count)?.map((time) => time.toISOString().slice(5, 16))

describe('the next times of a schedule', () => {
  it.each(['', '* * * *', '61 * * * *', '0 0 31 2 *', '0 0 0 * *', 'every day', '0 0 * * XYZ'])('are none for %j', (cron) => {
    expect(nextTimes({ cron, timeZone: 'Europe/Paris' }, new Date(0), 1)).toBeUndefined()
  })

  it('are in the days of the time zone', () => {
    expect(times('30 5 * * 1-5', '2026-01-02T12:00:00Z', 2)).toEqual(['01-05T04:30', '01-06T04:30'])
    expect(times('30 5 * * 1-5', '2026-07-03T12:00:00Z', 2)).toEqual(['07-06T03:30', '07-07T03:30'])
  })

  it('come once in the night in which the clock jumps over them', () => {
    expect(times('30 2 * * *', '2026-03-28T00:00:00Z')).toEqual(['03-28T01:30', '03-29T01:30', '03-30T00:30', '03-31T00:30'])
  })

  it('come once in the night in which the clock shows them twice', () => {
    expect(times('30 2 * * *', '2026-10-24T00:00:00Z')).toEqual(['10-24T00:30', '10-25T00:30', '10-26T01:30', '10-27T01:30'])
  })

  it('keep their distance in both nights where they come round by the hour', () => {
    expect(times('0 * * * *', '2026-03-29T00:30:00Z', 3)).toEqual(['03-29T01:00', '03-29T02:00', '03-29T03:00'])
    expect(times('0 * * * *', '2026-10-24T23:30:00Z', 4)).toEqual(['10-25T00:00', '10-25T01:00', '10-25T02:00', '10-25T03:00'])
  })
})

describe('silence', () => {
  const silent = (cron: string, { since, now }: { since: string; now: string }) =>
    isSilent({ cron, timeZone: 'UTC' }, { lastDataAt: new Date(since), now: new Date(now) })

  it('is 26 hours without data', () => {
    const since = '2026-03-02T06:01:00Z'
    expect(silent('0 6 * * *', { since, now: '2026-03-03T08:00:59Z' })).toBe(false)
    expect(silent('0 6 * * *', { since, now: '2026-03-03T08:01:00Z' })).toBe(true)
    expect(silent('0 * * * *', { since, now: '2026-03-03T08:01:00Z' })).toBe(true)
  })

  it('is no weekend, and no week, where the schedule rests as long', () => {
    const friday = '2026-03-06T06:01:00Z'
    expect(silent('0 6 * * 1-5', { since: friday, now: '2026-03-08T23:00:00Z' })).toBe(false)
    expect(silent('0 6 * * 1-5', { since: friday, now: '2026-03-09T08:00:00Z' })).toBe(true)
    expect(silent('0 6 * * 5', { since: friday, now: '2026-03-13T07:59:00Z' })).toBe(false)
  })
})
