import type { BoundFilter, TestOperator } from './bind-filter.rules.ts'
import { isObject, type Json } from './json.ts'

const reach = (value: Json | undefined, at: readonly string[]): Json | undefined =>
  at.reduce<Json | undefined>((held, name) => (isObject(held) ? held[name] : undefined), value)

/** Order by code point, as the database has it; JavaScript's own is by UTF-16 unit. */
const order = (left: string, right: string): number => {
  const [a, b] = [[...left], [...right]]
  const at = a.findIndex((letter, index) => letter !== b[index])
  if (at < 0) return a.length - b.length
  return (a[at]?.codePointAt(0) ?? -1) - (b[at]?.codePointAt(0) ?? -1)
}

const TESTS: Readonly<Record<Exclude<TestOperator, 'eq'>, (left: string, right: string) => boolean>> = {
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right),
  gt: (left, right) => order(left, right) > 0,
  ge: (left, right) => order(left, right) >= 0,
  lt: (left, right) => order(left, right) < 0,
  le: (left, right) => order(left, right) <= 0,
}

/** Whether a search document, or one value of a list in it, fits. */
export const matchesFilter = (filter: BoundFilter, document: Json): boolean => {
  switch (filter.type) {
    case 'and':
      return matchesFilter(filter.left, document) && matchesFilter(filter.right, document)
    case 'or':
      return matchesFilter(filter.left, document) || matchesFilter(filter.right, document)
    case 'not':
      return !matchesFilter(filter.filter, document)
    case 'some': {
      const values = reach(document, filter.list)
      return Array.isArray(values) && values.some((value: Json) => matchesFilter(filter.filter, value))
    }
    case 'present':
      return reach(document, filter.at) !== undefined
    case 'test': {
      const left = reach(document, filter.at)
      if (filter.operator === 'eq') return left === filter.value
      return typeof left === 'string' && typeof filter.value === 'string' && TESTS[filter.operator](left, filter.value)
    }
  }
}
