import { type Comparison, type Condition, DEEPEST_CONDITION, flawOf, MOST_COMPARISONS, walkCondition } from '@instep/contract/conditions.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const COMPARISON_MEMBERS = ['field', 'operator', 'value']

const isComparison = (value: Record<string, unknown>): boolean =>
  Object.keys(value).every((name) => COMPARISON_MEMBERS.includes(name)) &&
  typeof value['field'] === 'string' &&
  typeof value['operator'] === 'string' &&
  flawOf(value as unknown as Comparison) === undefined

/** Whether a value is a complete tree, of known fields and operators, not deeper than the server takes. */
const isTree = (value: unknown, depth = 1): value is Condition => {
  if (!isRecord(value) || depth > DEEPEST_CONDITION) return false
  if ('field' in value) return isComparison(value)
  const [name, ...others] = Object.keys(value)
  const part = value[name ?? '']
  if (others.length > 0) return false
  if (name === 'not') return isTree(part, depth + 1)
  return (name === 'all' || name === 'any') && Array.isArray(part) && part.length > 0 && part.every((one) => isTree(one, depth + 1))
}

/** Reads a condition tree from an address; undefined for what is none that the server would take. */
export const readCondition = (text: string): Condition | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isTree(value) && walkCondition(value).comparisons.length <= MOST_COMPARISONS ? value : undefined
  } catch {
    return undefined
  }
}

/** The tree as it stands in an address. */
export const writeCondition = (condition: Condition | null): string | undefined => (condition ? JSON.stringify(condition) : undefined)
