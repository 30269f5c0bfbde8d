import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formDate, readFormDate, wireDate } from './form-dates.ts'

describe('a date that is typed', () => {
  it.each([
    '31/02/2026',
    '31/02/26',
    '29.02.2023',
    '2026-02-30',
    '13/13/2026',
    '00/01/2026',
    '1/2',
    '45000',
    'soon',
    '31 February 2026',
    '2026-13-01',
    '31022024',
    '13132024',
    '20240230',
    // the year 1331 is nobody's
    '20121331',
    '5032024',
    '',
  ])('%s is impossible', (text) => expect(readFormDate(text)).toEqual({ impossible: true }))

  it.each([
    ['5/3/24', ['2024-03-05', '2024-05-03']],
    ['5/3/2024', ['2024-03-05', '2024-05-03']],
    ['05-03-2024', ['2024-03-05', '2024-05-03']],
    ['05.03.24', ['2024-03-05', '2024-05-03']],
    ['05032024', ['2024-03-05', '2024-05-03']],
    ['12111949', ['1949-11-12', '1949-12-11']],
    ['1 2 49', ['2049-02-01', '2049-01-02']],
    ['1/2/50', ['1950-02-01', '1950-01-02']],
  ])('%s is asked about', (text, ask) => expect(readFormDate(text)).toEqual({ ask }))

  it.each([
    ['05/03/2024', '2024-03-05'],
    ['03/05/2024', '2024-05-03'],
    [' 29/02/2024 ', '2024-02-29'],
    ['5/5/24', '2024-05-05'],
    ['31/1/24', '2024-01-31'],
    ['1/31/2024', '2024-01-31'],
    // a year of two digits stands last
    ['24-03-15', '2015-03-24'],
    ['31-12-49', '2049-12-31'],
    ['31-12-50', '1950-12-31'],
    ['2024-03-05', '2024-03-05'],
    ['20240305', '2024-03-05'],
    ['20121203', '2012-12-03'],
    ['25032024', '2024-03-25'],
    ['03252024', '2024-03-25'],
    ['05052024', '2024-05-05'],
    ['20102010', '2010-10-20'],
    ['5 March 2024', '2024-03-05'],
    ['March 5, 2024', '2024-03-05'],
    ['5 mars 24', '2024-03-05'],
    ['5. März 2024', '2024-03-05'],
    ['2024-03-05T23:30:00Z', '2024-03-05'],
    ['05/03/2024 ', '2024-03-05'],
  ])('%s is %s', (text, date) => expect(readFormDate(text)).toEqual({ date }))
})

describe('the form’s own dates', () => {
  const day = fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))

  it('come back as they went, and are never asked about', () => {
    fc.assert(
      fc.property(day, (date) => {
        expect(wireDate(formDate(date))).toBe(date)
        expect(readFormDate(formDate(date))).toEqual({ date })
      }),
      { seed: 1, numRuns: 300 },
    )
    expect([formDate(null), wireDate('')]).toEqual(['', null])
  })

  it.each(['31/02/2024', '5/3/24', 'soon'])('%s goes as it is, to be refused', (text) => expect(wireDate(text)).toBe(text))
})
