import { describe, expect, it } from 'vitest'
import { maintenanceEnd } from './maintenance.rules.ts'

const endOf = (at: string, zone = 'Europe/London') => maintenanceEnd(new Date(at), zone)?.toISOString()

describe('the maintenance window', () => {
  it.each([
    ['the second before it', '2026-11-21T07:59:59Z', 'Europe/London'],
    ['its end', '2026-11-21T14:00:00Z', 'Europe/London'],
    ['another day', '2026-11-20T10:00:00Z', 'Europe/London'],
    ['Saturday elsewhere, still Friday here', '2026-11-20T23:00:00Z', 'America/New_York'],
  ])('does not hold at %s', (_, at, zone) => {
    expect(endOf(at, zone)).toBeUndefined()
  })

  it.each([
    ['its first moment', '2026-11-21T08:00:00Z', 'Europe/London', '2026-11-21T14:00:00.000Z'],
    ['its last second', '2026-11-21T13:59:59.500Z', 'Europe/London', '2026-11-21T14:00:00.000Z'],
    ['summer time', '2026-07-04T07:30:00Z', 'Europe/London', '2026-07-04T13:00:00.000Z'],
    ['a zone of half hours', '2026-11-21T03:00:00Z', 'Asia/Kolkata', '2026-11-21T08:30:00.000Z'],
    ['another side of the world', '2026-11-20T22:00:00Z', 'Pacific/Auckland', '2026-11-21T01:00:00.000Z'],
  ])('ends at 14:00 there: %s', (...[, at, zone, end]) => {
    expect(endOf(at, zone)).toBe(end)
  })
})
