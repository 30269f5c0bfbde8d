import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DATE_FORMATS } from './date-formats.ts'
import { possibleFormats, readDate } from './dates.ts'

const SEED = { seed: 20_260, numRuns: 300 }
const day = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2049-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const separator = fc.constantFrom('/', '-', '.', ' ')

describe('readDate refuses', () => {
  it.each([
    ['31/02/2024', 'DMY'],
    ['29/02/2023', 'DMY'],
    ['02/30/2024', 'MDY'],
    ['31/12/2024', 'MDY'],
    ['12/31/2024', 'DMY'],
    ['00/01/2024', 'DMY'],
    ['2024-02-30', 'YMD'],
    ['20240230', 'YMD'],
    ['31022024', 'DMY'],
    ['25032024', 'MDY'],
    ['25032024', 'YMD'],
    ['20240304', 'DMY'],
    ['20121203', 'DMY'],
    ['5032024', 'DMY'],
    ['2024-13-01', 'DMY'],
    ['1/2', 'DMY'],
    ['1/2/3', 'DMY'],
    ['1/2/024', 'DMY'],
    ['01/02-2024', 'DMY'],
    ['45000', 'DMY'],
    ['N/A', 'DMY'],
    ['', 'YMD'],
    ['12 foo 2024', 'DMY'],
    ['March 12, 2024', 'DMY'],
    ['12 March 2024', 'MDY'],
    ['12/03/2024 25:00', 'DMY'],
    ['12/03/2024 and then some', 'DMY'],
    ['-1/03/2024', 'DMY'],
    ['１２/03/2024', 'DMY'],
    [`12/03/2024${' '.repeat(100)}x`, 'DMY'],
  ] as const)('%s as %s', (text, format) => {
    expect(readDate(text, format)).toBeUndefined()
  })
})

describe('readDate reads', () => {
  it.each([
    ['03/04/2024', 'DMY', '2024-04-03'],
    ['03/04/2024', 'MDY', '2024-03-04'],
    ['3.4.2024', 'DMY', '2024-04-03'],
    [' 3 - 4 - 2024 ', 'DMY', '2024-04-03'],
    ['29/02/2024', 'DMY', '2024-02-29'],
    ['01/01/49', 'DMY', '2049-01-01'],
    ['01/01/50', 'DMY', '1950-01-01'],
    ['24-03-04', 'YMD', '2024-03-04'],
    ['20240304', 'YMD', '2024-03-04'],
    ['05032024', 'DMY', '2024-03-05'],
    ['05032024', 'MDY', '2024-05-03'],
    ['05032024 08:15', 'DMY', '2024-03-05'],
    ['2024/03/04', 'YMD', '2024-03-04'],
    ['2024-03-04', 'DMY', '2024-03-04'],
    ['2024-03-04T23:30:00.000Z', 'MDY', '2024-03-04'],
    ['2024-03-04T23:30:00+02:00', 'YMD', '2024-03-04'],
    ['2024-03-04 00:00:00', 'YMD', '2024-03-04'],
    ['3/4/2024 12:00:00 AM', 'MDY', '2024-03-04'],
    ['04/03/2024 08:15', 'DMY', '2024-03-04'],
    ['12 Mar 2024', 'DMY', '2024-03-12'],
    ['12-Mar-24', 'DMY', '2024-03-12'],
    ['1er février 2024', 'DMY', '2024-02-01'],
    ['15 août 2024', 'DMY', '2024-08-15'],
    ['12. März 2024', 'DMY', '2024-03-12'],
    ['3. Dez. 2024', 'DMY', '2024-12-03'],
    ['March 12, 2024', 'MDY', '2024-03-12'],
    ['Sept 3rd, 2024', 'MDY', '2024-09-03'],
    ['Tuesday, March 12, 2024', 'MDY', '2024-03-12'],
  ] as const)('%s as %s is %s', (text, format, expected) => {
    expect(readDate(text, format)).toBe(expected)
  })

  it('every day in every order and with every separator', () => {
    fc.assert(
      fc.property(day, separator, (iso, by) => {
        const [year, month, date] = iso.split('-')
        expect(readDate([date, month, year].join(by), 'DMY')).toBe(iso)
        expect(readDate([month, date, year].join(by), 'MDY')).toBe(iso)
        expect(readDate([year, month, date].join(by), 'YMD')).toBe(iso)
        expect(readDate([date, month, year?.slice(2)].join(by), 'DMY')).toBe(iso)
        expect(readDate([date, month, year].join(''), 'DMY')).toBe(iso)
        expect(readDate([month, date, year].join(''), 'MDY')).toBe(iso)
      }),
      SEED,
    )
  })

  it('nothing but real days, whatever the text', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}$/))
    fc.assert(
      fc.property(text, fc.constantFrom(...DATE_FORMATS), (written, format) => {
        const read = readDate(written, format)
        if (read !== undefined) expect(new Date(`${read}T00:00:00Z`).toISOString().slice(0, 10)).toBe(read)
      }),
      SEED,
    )
  })
})

describe('possibleFormats', () => {
  it.each([
    ['no samples', [], []],
    ['words', ['Sales', 'Support'], []],
    ['mostly words', ['Sales', 'Support', '01/02/2024'], []],
    ['a day above 12 in front', ['03/04/2024', '13/04/2024'], ['DMY']],
    ['a day above 12 in the middle', ['03/04/2024', '04/13/2024'], ['MDY']],
    ['samples that do not tell', ['03/04/2024', '05/06/2023'], ['DMY', 'MDY']],
    ['samples that contradict each other', ['13/04/2024', '04/13/2024'], []],
    ['two digits that do not tell', ['01/02/03'], ['DMY', 'MDY', 'YMD']],
    ['year first', ['2024-03-04', '2023-01-31'], ['YMD']],
    ['year first among others', ['2024-03-04', '31/01/2024'], ['DMY']],
    ['an impossible date among others', ['31/02/2024', '30/01/2024', '01/02/2024'], ['DMY']],
    ['blank and missing values', ['', ' ', 'N/A', '30/01/2024', '01/02/2024'], ['DMY']],
    ['eight digits that do not tell', ['05032024', '01122023'], ['DMY', 'MDY']],
    ['eight digits with a day above 12 in front', ['05032024', '25032024'], ['DMY']],
    ['eight digits with the year in front', ['20240305', '20121203'], ['YMD']],
    ['eight digits with the year now in front, now last', ['20240305', '25032024'], []],
    ['month names', ['12 Mar 2024', '1 Apr 2024'], ['DMY']],
  ])('%s', (_name, samples, expected) => {
    expect(possibleFormats(samples)).toEqual(expected)
  })
})
