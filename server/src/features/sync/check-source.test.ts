import { DEFAULT_GUARDS, type SourceChecks } from '@instep/contract/guard-settings.ts'
import { describe, expect, it } from 'vitest'
import { checkSource, noteSource, type SourceSight } from './check-source.ts'
import type { SourceProfile } from './source-profile.ts'

const CHECKS = DEFAULT_GUARDS.source
const profile = (change: Partial<SourceProfile> = {}): SourceProfile => ({
  records: 1000,
  encoding: 'utf-8',
  header: ['id', 'first', 'mail'],
  filled: { id: 1000, first: 1000, mail: 900 },
  ending: 'whole',
  lastRow: 1001,
  ...change,
})
const sight = (now: Partial<SourceProfile>, change: Partial<SourceSight> = {}): SourceSight => ({
  profile: profile(now),
  last: profile(),
  manifest: undefined,
  sha256: undefined,
  modifiedAt: undefined,
  now: new Date('2026-03-02T12:00:00Z'),
  ...change,
})
const codes = (given: SourceSight, checks: SourceChecks = CHECKS) => checkSource(given, checks).map(({ code }) => code)

describe('a source is taken for what it should not be', () => {
  it.each([
    ['not when it looks as last time', sight({}), []],
    ['not when nothing is known of the last time', sight({ records: 1 }, { last: null }), []],
    ['when more than a tenth of the rows is gone', sight({ records: 899, filled: {} }), ['fewerRows']],
    ['not when exactly a tenth is gone', sight({ records: 900, filled: {} }), []],
    ['not when five of twenty rows are gone', sight({ records: 15, filled: {} }, { last: profile({ records: 20 }) }), []],
    ['when most of a few rows are gone', sight({ records: 1, filled: {} }, { last: profile({ records: 4 }) }), ['fewerRows']],
    ['not by its rows when it holds none: the guard says so', sight({ records: 0, filled: {} }), []],
    ['when a mapped column is 20 points emptier', sight({ filled: { mail: 700 } }), ['emptierColumn']],
    ['not when it is 19 points emptier', sight({ filled: { mail: 710 } }), []],
    ['not for a column that was not mapped last time', sight({ filled: { title: 0 } }), []],
    ['not for two cells of three', sight({ records: 3, filled: { mail: 1 } }, { last: profile({ records: 3, filled: { mail: 3 } }) }), []],
    ['when it comes in another encoding', sight({ encoding: 'windows-1252' }), ['encodingChanged']],
    ['not when one of the two holds plain letters only', sight({ encoding: 'ascii' }), []],
    ['not when a workbook follows a text file', sight({ encoding: null }), []],
    ['when the last record lacks cells and its line end', sight({ ending: 'cut' }), ['cutRecord']],
    ['when the last record lacks its line end, which it had last time', sight({ ending: 'unended' }), ['cutRecord']],
    ['not when it never has one', sight({ ending: 'unended' }, { last: profile({ ending: 'unended' }) }), []],
    ['not when a first file lacks it', sight({ ending: 'unended' }, { last: null }), []],
    ['when a first file lacks cells as well', sight({ ending: 'cut' }, { last: null }), ['cutRecord']],
    ['when it is older than 26 hours', sight({}, { modifiedAt: new Date('2026-03-01T09:59:59Z') }), ['staleSource']],
    ['not when it is 26 hours old', sight({}, { modifiedAt: new Date('2026-03-01T10:00:00Z') }), []],
    ['when the manifest counts other rows', sight({}, { manifest: { rows: 1001 } }), ['manifestRows']],
    ['when the manifest has another hash', sight({}, { manifest: { rows: 1000, sha256: 'AB' }, sha256: 'cd' }), ['manifestHash']],
    ['not when the manifest agrees, in capitals too', sight({}, { manifest: { rows: 1000, sha256: 'AB' }, sha256: 'ab' }), []],
  ] as [string, SourceSight, string[]][])('%s', (_, given, expected) => expect(codes(given)).toEqual(expected))

  it('and each check can be turned off', () => {
    const everything = sight(
      { records: 700, encoding: 'windows-1252', filled: { mail: 100 }, ending: 'cut' },
      { modifiedAt: new Date('2026-01-01T00:00:00Z'), manifest: { rows: 1000 } },
    )
    expect(codes(everything)).toEqual(['fewerRows', 'emptierColumn', 'encodingChanged', 'cutRecord', 'staleSource', 'manifestRows'])
    for (const check of Object.keys(CHECKS) as (keyof SourceChecks)[])
      expect(codes(everything, { ...CHECKS, [check]: { ...CHECKS[check], on: false } })).toHaveLength(5)
  })

  it('tells of the emptied column that lost most, with what it had', () => {
    const [reason] = checkSource(sight({ filled: { mail: 100, first: 500 } }), CHECKS)
    expect(reason?.params).toEqual({ columns: 'mail, first', count: 2, column: 'mail', percent: 10, before: 90 })
  })
})

describe('only noted are', () => {
  it('new columns and columns in another order', () => {
    expect(noteSource(sight({ header: ['mail', 'id', 'first', 'grade'] }))).toEqual([
      { code: 'newColumns', params: { columns: 'grade', count: 1 } },
      { code: 'movedColumns', params: { columns: 'mail, id, first', count: 3 } },
    ])
  })

  it('no columns where they stand as before, or nothing is known of before', () => {
    expect(noteSource(sight({}))).toEqual([])
    expect(noteSource(sight({ header: ['new'] }, { last: null }))).toEqual([])
  })
})
