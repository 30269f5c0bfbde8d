import { expect, test } from 'vitest'
import { addDays, addMonths, dayOfKey, monthGrid, today } from './calendar-days.ts'

test('a month later than the 31st is the last day of a shorter month', () => {
  expect(addMonths('2024-01-31', 1)).toBe('2024-02-29')
  expect(addMonths('2023-03-31', -1)).toBe('2023-02-28')
  expect(addMonths('2024-02-29', 12)).toBe('2025-02-28')
})

test('days go over the ends of months and years', () => {
  expect(addDays('2024-12-31', 1)).toBe('2025-01-01')
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
})

test('the weeks of a month start on Monday and hold every day of it once', () => {
  for (const month of ['2024-02', '2021-02', '2024-09', '2026-11']) {
    const weeks = monthGrid(`${month}-15`)
    for (const week of weeks) {
      expect(week).toHaveLength(7)
      expect(new Date(`${week[0]}T00:00:00Z`).getUTCDay()).toBe(1)
    }
    const inside = weeks.flat().filter((day) => day.startsWith(month))
    expect(inside[0]).toBe(`${month}-01`)
    expect(inside.at(-1)).toBe(addDays(addMonths(`${month}-01`, 1), -1))
  }
})

test('today is the day where the reader is', () => {
  const midnight = new Date('2024-05-03T00:30:00Z')
  expect(['2024-05-02', '2024-05-03']).toContain(today(midnight))
})

test.each([
  ['a', undefined],
  ['ArrowRight', '2024-05-16'],
  ['ArrowLeft', '2024-05-14'],
  ['ArrowUp', '2024-05-08'],
  ['ArrowDown', '2024-05-22'],
  ['Home', '2024-05-13'],
  ['End', '2024-05-19'],
  ['PageUp', '2024-04-15'],
  ['PageDown', '2024-06-15'],
])('%s on Wednesday 15 May leads to %s', (key, day) => {
  expect(dayOfKey('2024-05-15', key, { shift: false, rtl: false })).toBe(day)
})

test('Shift moves by years, and from right to left the arrows turn round', () => {
  expect(dayOfKey('2024-05-15', 'PageUp', { shift: true, rtl: false })).toBe('2023-05-15')
  expect(dayOfKey('2024-05-15', 'ArrowRight', { shift: false, rtl: true })).toBe('2024-05-14')
})
