import type { AttributeRule } from '@instep/contract/attribute-rules.ts'
import { expect, it } from 'vitest'
import {
  CONSTANT,
  NEW_RULE,
  NOTHING,
  offeredPaths,
  sourceOf,
  TEXT_CHANGES,
  textChangeOf,
  withSource,
  withTextChange,
  wrongRules,
} from './attribute-rules.rules.ts'

const rule: AttributeRule = { ...NEW_RULE, path: 'nickName' }

it('finds the rules that cannot be kept', () => {
  const empty = withSource(rule, CONSTANT)
  expect([...wrongRules([rule, NEW_RULE, rule, { ...rule, path: 'active' }, { ...empty, path: 'a' }])]).toEqual([1, 2, 3, 4])
  expect(wrongRules([rule, { ...rule, path: 'title' }]).size).toBe(0)
})

it('keeps what the form shows of a source and of a change', () => {
  for (const source of [CONSTANT, NOTHING, 'givenName']) expect(sourceOf(withSource(rule, source))).toBe(source)
  for (const change of TEXT_CHANGES) expect(textChangeOf(withTextChange(rule, change))).toBe(change)
  expect(withSource(rule, 'nonsense')).toBe(rule)
})

it('tells a chain that it cannot show, and leaves it alone until it is changed', () => {
  const joined: AttributeRule = { ...rule, transforms: [{ kind: 'trim' }, { kind: 'replace', find: 'a', with: 'b' }] }
  expect(textChangeOf(joined)).toBe('other')
  expect(withSource(joined, 'givenName').transforms).toEqual(joined.transforms)
  expect(withTextChange(joined, 'upper').transforms).toEqual([{ kind: 'case', to: 'upper' }])
})

it('offers each path once', () => {
  const paths = offeredPaths([{ path: 'title' }, { path: 'urn:example:User:badge' }])
  expect(paths.filter((path) => path === 'title')).toHaveLength(1)
  expect(paths).toContain('urn:example:User:badge')
})
