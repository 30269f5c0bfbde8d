import { type Comparison, Condition, conditionFieldNames } from '@instep/contract/conditions.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  blankComparison,
  blankGroup,
  comparisonsIn,
  conditionOf,
  type DraftComparison,
  draftOf,
  flawsOf,
  operatorsOf,
  withField,
  withNode,
  withOperator,
} from './condition-draft.rules.ts'

const kitchen: Comparison = { field: 'department', operator: 'equals', value: 'Kitchen' }
const claimed: Comparison = { field: 'claimState', operator: 'in', value: ['claimed', 'invited'] }
const recent: Comparison = { field: 'startDate', operator: 'withinLast', value: { number: 3, scale: 'month' } }
const vip: Comparison = { field: 'vip', operator: 'is', value: true }

const comparison = fc.constantFrom<Condition>(kitchen, claimed, recent, vip)
const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    comparison,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all): Condition => ({ all })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any })),
    tie('tree').map((not): Condition => ({ not })),
  ),
}))

/** What a tree says of somebody of whom some comparisons hold. */
const holds = (condition: Condition, facts: ReadonlySet<string>): boolean => {
  if ('field' in condition) return facts.has(condition.field)
  if ('all' in condition) return condition.all.every((part) => holds(part, facts))
  if ('any' in condition) return condition.any.some((part) => holds(part, facts))
  return !holds(condition.not, facts)
}

describe('a draft', () => {
  test('says the same as the tree that it was made of', () => {
    fc.assert(
      fc.property(tree, fc.subarray(['department', 'claimState', 'startDate', 'vip']), (condition, facts) => {
        const known = new Set(facts)
        expect(holds(conditionOf(draftOf(condition)), known)).toBe(holds(condition, known))
      }),
      { seed: 20, numRuns: 300 },
    )
  })

  test('stays the same however often it is put away and taken up', () => {
    fc.assert(
      fc.property(tree, (condition) => {
        const once = conditionOf(draftOf(condition))
        expect(conditionOf(draftOf(once))).toEqual(once)
      }),
      { seed: 20, numRuns: 300 },
    )
  })

  test('keeps groups of every kind', () => {
    for (const condition of [
      { all: [kitchen, { any: [claimed, recent] }] },
      { not: { any: [kitchen, vip] } },
      { not: { all: [kitchen, vip] } },
      { any: [{ not: kitchen }, { all: [vip, { any: [claimed, { not: recent }] }] }] },
      kitchen,
    ] satisfies Condition[]) {
      expect(conditionOf(draftOf(condition))).toEqual(condition)
    }
  })

  test('of nothing is one empty comparison, and lacks its field', () => {
    const draft = draftOf(null)
    expect(draft.parts).toHaveLength(1)
    expect([...flawsOf(draft).values()]).toEqual(['field'])
  })

  test('lacks something in a group without parts', () => {
    const draft = draftOf(kitchen)
    const emptied = withNode(draft, draft.parts[0]?.id ?? 0, () => null)
    expect(flawsOf(emptied).get(draft.id)).toBe('group')
  })

  test('that is complete is a tree that the server takes', () => {
    const draft = draftOf({ all: [kitchen, { not: claimed }, { any: [recent, vip] }] })
    expect(flawsOf(draft).size).toBe(0)
    expect(Condition.safeParse(conditionOf(draft)).success).toBe(true)
  })

  test('counts its comparisons in groups of any depth', () => {
    expect(comparisonsIn(draftOf({ all: [kitchen, { any: [claimed, { not: recent }] }] }))).toBe(3)
  })

  test('lacks a value where the text is longer than one that is compared with', () => {
    for (const value of ['x'.repeat(1001), ['Kitchen', 'x'.repeat(1001)]]) {
      const long = { ...kitchen, operator: Array.isArray(value) ? 'in' : 'equals', value } as const
      expect([...flawsOf(draftOf(long)).values()]).toEqual(['value'])
    }
  })

  test('takes blanks around a text for nothing', () => {
    const draft = draftOf({ ...kitchen, value: '  ' })
    expect([...flawsOf(draft).values()]).toEqual(['value'])
    expect(conditionOf(draftOf({ ...kitchen, value: ' Kitchen ' }))).toEqual(kitchen)
  })
})

describe('a comparison', () => {
  const draft = (given: Comparison): DraftComparison => ({ id: 1, field: given.field, operator: given.operator, value: given.value })

  test.each(conditionFieldNames)('of %s starts with an operator of its kind and nothing entered that it cannot hold', (field) => {
    for (const before of [blankComparison(), draft(kitchen), draft(claimed), draft(recent), draft(vip)]) {
      const next = withField(before, field)
      expect(operatorsOf(field)).toContain(next.operator)
      expect([undefined, 'value']).toContain([...flawsOf(next).values()][0])
    }
  })

  test('keeps its value between one and several', () => {
    const several = withOperator(draft(kitchen), 'in')
    expect(several.value).toEqual(['Kitchen'])
    expect(withOperator(several, 'equals').value).toBe('Kitchen')
    expect(withOperator(several, 'isEmpty').value).toBeUndefined()
    expect(withOperator(blankComparison(), 'in').value).toEqual([])
  })

  test('keeps a day when another date is meant', () => {
    const before = draft({ field: 'startDate', operator: 'before', value: '2024-05-03' })
    expect(withField(before, 'endDate')).toEqual({ ...before, field: 'endDate' })
    expect(withField(before, 'department').value).toBe('')
  })
})

test('a new group starts with a comparison to fill in', () => {
  expect(flawsOf(blankGroup('any')).size).toBe(1)
})
