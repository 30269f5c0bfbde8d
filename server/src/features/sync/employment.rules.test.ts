import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { employmentOn, type SiteDays, standingOf } from './employment.rules.ts'
import { type CurrentPerson, planLeaver, planOutOfScope, planRecord } from './plan.ts'

const TODAY = '2026-11-21'
const days: SiteDays = {
  atSite: (siteId) => (siteId === 'auckland' ? '2026-11-22' : TODAY),
  atLocation: (location) => (location === 'Auckland' ? '2026-11-22' : TODAY),
}

const somebody = (base: Record<string, unknown> = {}, dates: CurrentPerson['dates'] = { siteId: null, overrides: {} }): CurrentPerson => ({
  userId: 'p',
  version: 3,
  base: { externalId: 'E1', active: true, ...base },
  displayName: 'Ada Byron',
  employeeId: 'E1',
  locked: false,
  ...(dates && { dates }),
})

const planOf = (values: Record<string, string | null>, person: CurrentPerson | null = somebody()) =>
  planRecord(
    { rowNumber: 2, sourceKey: 'E1', recordHash: '', sameKey: 1 },
    { mapped: { values: { externalId: 'E1', ...values }, problems: [] }, match: { person }, days },
    () => 'new',
  )
const told = (row: ReturnType<typeof planOf>) => row && [row.kind, row.reasons.map(({ code }) => code).join(), row.before, row.after]

describe('what two dates say of a day', () => {
  it.each([
    [null, null, null],
    ['2026-11-22', null, 'notStarted'],
    ['2026-11-21', null, null],
    [null, '2026-11-20', 'ended'],
    [null, '2026-11-21', null],
    ['2026-11-22', '2026-11-20', 'ended'],
    ['2026-11-21', '2026-11-21', null],
  ])('from %s to %s is %s', (startDate, endDate, expected) => {
    expect(employmentOn({ startDate, endDate }, TODAY)).toBe(expected)
  })

  it('goes one way only as the days pass: not started, there, ended', () => {
    const day = fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString().slice(0, 10))
    const rank = { notStarted: 0, there: 1, ended: 2 }
    fc.assert(
      fc.property(fc.option(day), fc.option(day), fc.array(day), (startDate, endDate, passing) => {
        const places = passing.toSorted().map((today) => rank[employmentOn({ startDate, endDate }, today) ?? 'there'])
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }),
      { seed: 7 },
    )
  })

  it('is asked where the person works, and where the record puts them', () => {
    const at = (siteId: string | null, values: Record<string, string>) =>
      standingOf({ startDate: '2026-11-22', ...values }, somebody({}, { siteId, overrides: {} }), days)
    expect(at(null, {}).employment).toBe('notStarted')
    expect(at('auckland', {}).employment).toBe(null)
    expect(at('paris', { locationName: 'Auckland' }).employment).toBe(null)
    expect(at('auckland', { locationName: 'Paris' }).employment).toBe('notStarted')
  })

  it('counts what an administrator set before what the record says', () => {
    const overridden = somebody({}, { siteId: null, overrides: { endDate: '2027-01-01' } })
    expect(standingOf({ endDate: '2026-01-01' }, overridden, days).employment).toBe(null)
  })
})

describe('a record with dates', () => {
  it('of somebody new who starts later is planned as such, inactive', () => {
    expect(told(planOf({ startDate: '2026-12-01' }, null))).toEqual([
      'future',
      'startsLater',
      {},
      { externalId: 'E1', startDate: '2026-12-01', active: false, employment: 'notStarted' },
    ])
  })

  it('of somebody who is there and is to start later switches them off until then', () => {
    expect(told(planOf({ startDate: '2026-12-01' }))).toEqual([
      'future',
      'startsLater',
      { startDate: null, active: true, employment: null },
      { startDate: '2026-12-01', active: false, employment: 'notStarted' },
    ])
  })

  it('that says when somebody ends changes nothing else yet', () => {
    expect(told(planOf({ endDate: '2026-12-31' }))).toEqual(['leave', 'endsOn', { endDate: null }, { endDate: '2026-12-31' }])
    expect(told(planOf({ endDate: TODAY }))).toEqual(['leave', 'endsOn', { endDate: null }, { endDate: TODAY }])
  })

  it('whose end has passed deactivates at once', () => {
    expect(told(planOf({ endDate: '2026-11-20' }))).toEqual([
      'deactivate',
      'ended',
      { endDate: null, active: true, employment: null },
      { endDate: '2026-11-20', active: false, employment: 'ended' },
    ])
  })

  it('without the end, or with a later one, brings back who was ended', () => {
    const ended = somebody({ active: false, employment: 'ended', endDate: '2026-11-20' })
    expect(told(planOf({ endDate: null }, ended))?.slice(0, 2)).toEqual(['reactivate', 'endMoved'])
    expect(told(planOf({ endDate: '2027-01-31' }, ended))?.slice(0, 2)).toEqual(['reactivate', 'endMoved'])
    expect(planOf({ endDate: '2026-11-20' }, ended)).toBe(undefined)
  })

  it('that comes back after having left, and has ended meanwhile, reactivates nobody', () => {
    const left = somebody({ active: false })
    expect(told(planOf({ endDate: '2026-11-20' }, left))?.slice(0, 2)).toEqual(['update', 'ended'])
    expect(told(planOf({}, left))?.slice(0, 2)).toEqual(['reactivate', 'backInFile'])
  })

  it('of somebody new who has ended adds them inactive', () => {
    const row = planOf({ endDate: '2026-11-20' }, null)
    expect([row?.kind, row?.after['active'], row?.after['employment']]).toEqual(['create', false, 'ended'])
  })

  it('plans nothing the second time', () => {
    const base = planOf({ startDate: '2026-12-01' }, null)?.after ?? {}
    expect(planOf({ startDate: '2026-12-01' }, somebody(base))).toBe(undefined)
  })
})

describe('whoever is away by the dates and leaves the source', () => {
  const awaited = { ...somebody({ active: false, employment: 'notStarted' }), sourceKey: 'E1', asked: false }

  it('is not deactivated again, and no date brings them back', () => {
    expect(told(planLeaver(awaited, 0))).toEqual(['update', 'missingFromFile', { employment: 'notStarted' }, { employment: null }])
  })

  it('stays away when the record goes out of scope', () => {
    const record = { rowNumber: 2, sourceKey: 'E1', recordHash: '', sameKey: 1 }
    expect(planOutOfScope(record, { person: awaited })?.after).toEqual({ employment: null })
    const left = somebody({ active: false })
    expect(planOutOfScope(record, { person: left })).toBe(undefined)
  })
})
