import { type Comparison, type Condition, conditionField, type Operator, operandOf } from '@instep/contract/conditions.ts'

/** A piece of a sentence; values are marked. */
export interface SentencePart {
  readonly text: string
  readonly isValue?: true
}

/** What a sentence is made of, in the reader's language. */
export interface SentenceWords {
  /** What comes before and after the value: "department is " and "". */
  readonly phrase: (field: string, operator: Operator) => { before: string; after: string }
  /** The whole of a comparison with yes or no: "account is active". */
  readonly flag: (field: string, value: boolean) => string
  /** The value as it is read: names for ids, days as they are written, several with "or". */
  readonly value: (comparison: Comparison) => string
  readonly and: string
  readonly or: string
  readonly not: string
}

/** Operators that say the contrary of each other, so that "not" need not be said. */
const CONTRARY: Partial<Record<Operator, Operator>> = {
  equals: 'notEquals',
  notEquals: 'equals',
  in: 'notIn',
  notIn: 'in',
  contains: 'notContains',
  notContains: 'contains',
  isEmpty: 'isNotEmpty',
  isNotEmpty: 'isEmpty',
}

const describeComparison = (comparison: Comparison, words: SentenceWords): SentencePart[] => {
  const { field, operator, value } = comparison
  if (conditionField(field)?.type === 'boolean') return [{ text: words.flag(field, value === true) }]
  const { before, after } = words.phrase(field, operator)
  if (operandOf(operator) === 'none') return [{ text: before + after }]
  return [{ text: before }, { text: words.value(comparison), isValue: true as const }, { text: after }].filter(({ text }) => text !== '')
}

const joined = (parts: readonly Condition[], word: string, words: SentenceWords): SentencePart[] =>
  parts.flatMap((part, index) => {
    const inner = describeCondition(part, words)
    const simple = 'field' in part || ('not' in part && 'field' in part.not)
    const described = simple || parts.length === 1 ? inner : [{ text: '(' }, ...inner, { text: ')' }]
    return index === 0 ? described : [{ text: ` ${word} ` }, ...described]
  })

const describeNot = (condition: Condition, words: SentenceWords): SentencePart[] => {
  if ('not' in condition) return describeCondition(condition.not, words)
  if ('field' in condition) {
    if (typeof condition.value === 'boolean') return describeComparison({ ...condition, value: !condition.value }, words)
    const contrary = CONTRARY[condition.operator]
    if (contrary) return describeComparison({ ...condition, operator: contrary }, words)
  }
  return [{ text: `${words.not} (` }, ...describeCondition(condition, words), { text: ')' }]
}

/** A condition tree as a sentence: "department is Kitchen and (position is Chef or location is London Bridge)". Pure. */
export const describeCondition = (condition: Condition, words: SentenceWords): SentencePart[] => {
  if ('field' in condition) return describeComparison(condition, words)
  if ('all' in condition) return joined(condition.all, words.and, words)
  if ('any' in condition) return joined(condition.any, words.or, words)
  return describeNot(condition.not, words)
}

/** The sentence with a capital letter at its start, where it stands alone. */
export const asSentence = (parts: readonly SentencePart[], locale: string): readonly SentencePart[] =>
  parts.map((part, index) => (index === 0 ? { ...part, text: part.text.charAt(0).toLocaleUpperCase(locale) + part.text.slice(1) } : part))

/** The sentence as one text. */
export const sentenceText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('')

/** What can be taken out of a condition one by one: the parts of its outermost "all", else the whole. */
export const removableParts = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

/** The condition without one of its removable parts; null where nothing is left. */
export const withoutPart = (condition: Condition, index: number): Condition | null => {
  const left = removableParts(condition).filter((_part, at) => at !== index)
  const [only] = left
  if (!only) return null
  return left.length === 1 ? only : { all: [...left] }
}
