import { DEFAULT_GUARDS } from '@instep/contract/guard-settings.ts'
import { describe, expect, it } from 'vitest'
import { HOURS, newSiteLimit, PEOPLE, PERCENT, readGuards, readNumber, typedOf } from './guards.rules.ts'

const { off: _, ...standard } = DEFAULT_GUARDS

describe('guards that are typed', () => {
  it('are read as they were', () => {
    const settings = { ...standard, sites: [{ siteId: null, kind: 'update' as const, ...standard.limits.deactivate }] }
    expect(readGuards(typedOf(settings))).toEqual(settings)
  })

  it('are not read with a number that is none, or with two limits of one site and kind', () => {
    const typed = typedOf(standard)
    expect(readGuards({ ...typed, staleSource: { on: true, hours: '0' } })).toBeUndefined()
    expect(readGuards({ ...typed, fewerRows: { on: true, percent: 'ten', number: '5' } })).toBeUndefined()
    expect(readGuards({ ...typed, sites: [newSiteLimit('update'), newSiteLimit('update')] })).toBeUndefined()
    expect(readGuards({ ...typed, sites: [newSiteLimit('update'), newSiteLimit('create')] })?.sites).toHaveLength(2)
  })

  it.each([
    ['10', PERCENT, 10],
    [' 2,5 ', PERCENT, 2.5],
    ['101', PERCENT, undefined],
    ['-1', PERCENT, undefined],
    ['2.5', PEOPLE, undefined],
    ['', PEOPLE, undefined],
    ['26', HOURS, 26],
  ] as const)('“%s” is read in its range', (text, range, value) => expect(readNumber(text, range)).toBe(value))
})
