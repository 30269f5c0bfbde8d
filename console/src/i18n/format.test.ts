import { describe, expect, test } from 'vitest'
import { formatBytes, formatDate, formatDuration, formatInstant, formatNumber, formatRelativeDay, formatShare } from './format.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

describe('dates and instants', () => {
  test.each([
    [null, ''],
    ['', ''],
    ['not a date', 'not a date'],
    ['2024-05-03', '03/05/2024'],
    ['2024-05-03T23:59:59Z', '03/05/2024'],
  ])('the date %s is written "%s"', (date, written) => {
    expect(formatDate(date)).toBe(written)
  })

  test.each([
    [null, ''],
    ['nonsense', ''],
    ['2024-05-03T06:07:08.123Z', '03/05/2024 06:07:08'],
    ['2024-05-03T00:30:00+02:00', '02/05/2024 22:30:00'],
  ])('the instant %s is written "%s", in UTC', (instant, written) => {
    expect(formatInstant(instant)).toBe(written)
  })

  test.each([
    ['2026-11-20T06:00:00Z', 'en-GB', 'Today 06:00'],
    ['2026-11-19T23:59:00Z', 'en-GB', 'Yesterday 23:59'],
    ['2026-11-19T23:59:00Z', 'fr-FR', 'Hier 23:59'],
    ['2026-11-18T06:00:00Z', 'en-GB', '18/11/2026 06:00'],
  ])('%s in %s is "%s"', (instant, locale, written) => {
    expect(formatRelativeDay(instant, locale, NOW)).toBe(written)
  })
})

describe('numbers', () => {
  test.each([
    [48213, 'en-GB', '48,213'],
    [48213, 'de-DE', '48.213'],
    [48213, 'ar', '48,213'],
    [48213, 'fa-IR', '48,213'],
  ])('%d in %s is "%s"', (value, locale, written) => {
    expect(formatNumber(value, locale).replace('٬', ',')).toBe(written)
  })

  test('shares and sizes carry their unit', () => {
    expect(formatShare(0.124, 'en-GB')).toBe('12.4%')
    expect(formatBytes(999, 'en-GB')).toBe('999 byte')
    expect(formatBytes(1_440_000, 'en-GB')).toBe('1.4 MB')
    expect(formatBytes(5_000_000_000_000, 'en-GB')).toBe('5,000 GB')
  })
})

describe('durations', () => {
  test.each([
    [0, '0 s'],
    [840, '0.8 s'],
    [9_000, '9 s'],
    [59_400, '59 s'],
    [59_600, '1 m 00 s'],
    [252_000, '4 m 12 s'],
    [3_720_000, '1 h 02 m'],
  ])('%d milliseconds are "%s"', (milliseconds, written) => {
    expect(formatDuration(milliseconds, 'en-GB')).toBe(written)
  })
})
