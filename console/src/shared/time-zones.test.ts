import { expect, test } from 'vitest'
import { findTimeZones, isTimeZone } from './time-zones.ts'

test.each(['', 'Mars/Olympus', 'Europe', 'London'])('"%s" is no time zone', (zone) => {
  expect(isTimeZone(zone)).toBe(false)
})

test.each(['UTC', 'Europe/Paris', 'America/New_York'])('%s is a time zone', (zone) => {
  expect(isTimeZone(zone)).toBe(true)
})

test('words find a time zone in any case and order', () => {
  expect(findTimeZones('new york')).toEqual(['America/New_York'])
  expect(findTimeZones('PARIS europe')).toEqual(['Europe/Paris'])
  expect(findTimeZones('nowhere')).toEqual([])
})

test('an empty search offers the first fifty', () => {
  expect(findTimeZones('  ')).toHaveLength(50)
})
