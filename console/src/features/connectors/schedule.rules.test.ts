import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choiceOf, cronOf, PRESETS } from './schedule.rules.ts'

describe('the choice of a schedule', () => {
  it.each([
    ['', 'custom'],
    ['0 6 * * *', 'daily'],
    ['15 * * * *', 'hourly'],
    ['30 5 * * 1-5', 'weekdays'],
    ['0 22 * * 0', 'weekly'],
    ['*/15 * * * *', 'custom'],
    ['0 6 1 * *', 'custom'],
    ['0 * * * 1', 'custom'],
    ['0 24 * * *', 'custom'],
    ['60 6 * * *', 'custom'],
  ] as const)('%j is %s', (cron, preset) => {
    expect(choiceOf(cron).preset).toBe(preset)
  })

  it('is none while the time is none', () => {
    const choice = choiceOf('0 6 * * *')
    for (const time of ['', '6', '24:00', '06:60', 'six']) expect(cronOf({ ...choice, time })).toBeUndefined()
    expect(cronOf({ ...choice, preset: 'custom', cron: '* * *' })).toBeUndefined()
  })

  it('comes back as it was given', () => {
    const choices = fc.record({
      preset: fc.constantFrom(...PRESETS.filter((preset) => preset !== 'custom')),
      time: fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${hour}:${String(minute).padStart(2, '0')}`),
      weekday: fc.nat(6),
      cron: fc.constant(''),
    })
    fc.assert(
      fc.property(choices, (choice) => {
        const cron = cronOf(choice)
        expect(cron && cronOf(choiceOf(cron))).toBe(cron)
        expect(cron && choiceOf(cron).preset).toBe(choice.preset)
      }),
      { seed: 4 },
    )
  })
})
