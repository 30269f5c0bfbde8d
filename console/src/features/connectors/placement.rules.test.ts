import type { PlacementRule } from '@instep/contract/placement.ts'
import { describe, expect, it } from 'vitest'
import { countsOf, kindOf, newRule, resultsOf, withKind, withRuleMoved } from './placement.rules.ts'

const SITES = [
  { id: 'n', name: 'North', code: 'N1', active: true },
  { id: 's', name: 'South', code: null, active: true },
]
const toSouth: PlacementRule = { when: { field: 'department', operator: 'equals', value: 'IT' }, to: { siteId: 's' } }
const somebody = (id: string, values: Record<string, string>) => ({ id, displayName: id, siteId: 'n', values })
const sample = [somebody('a', { locationName: 'north' }), somebody('b', { department: 'it' }), somebody('c', { locationName: 'Oslo' })]
const tried = (rules: PlacementRule[]) => resultsOf(rules, { sample, sites: SITES, today: '2026-11-21' })

describe('rules in the editor', () => {
  it('stay where they are when there is no place to move to', () => {
    const rules = [toSouth, newRule()]
    for (const [from, to] of [
      [0, -1],
      [1, 2],
      [5, 0],
    ] as const)
      expect(withRuleMoved(rules, from, to)).toEqual(rules)
    expect(withRuleMoved(rules, 0, 1)).toEqual([newRule(), toSouth])
  })

  it('keep their condition when they lead elsewhere', () => {
    const byCode = withKind(toSouth, 'code', SITES)
    expect(byCode).toEqual({ when: toSouth.when, to: { field: 'locationName', by: 'code' } })
    expect([kindOf(byCode), withKind(byCode, 'site', SITES).to]).toEqual(['code', { siteId: 'n' }])
  })

  it('are tried on the people at hand, and counted by rule', () => {
    const results = tried([toSouth, newRule()])
    expect(results.map(({ next, rule }) => [next, rule])).toEqual([
      ['n', 2],
      ['s', 1],
      [null, null],
    ])
    expect([...countsOf(results)]).toEqual([
      [2, 1],
      [1, 1],
      ['none', 1],
    ])
  })

  it('none of them: the location names the site', () => {
    expect(tried([]).map(({ next, rule }) => [next, rule])).toEqual([
      ['n', null],
      [null, null],
      [null, null],
    ])
  })
})
