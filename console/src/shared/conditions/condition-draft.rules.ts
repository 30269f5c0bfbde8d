import {
  type Comparison,
  type Condition,
  type ConditionType,
  conditionField,
  flawOf,
  OPERATORS,
  type Operand,
  type Operator,
  operandOf,
} from '@instep/contract/conditions.ts'

/** How the parts of a group count together: all hold, any holds, none holds, or not all hold. */
export type GroupMode = 'all' | 'any' | 'none' | 'notAll'

/** A group as it is being put together; `id` names it on screen. */
export interface DraftGroup {
  readonly id: number
  readonly mode: GroupMode
  readonly parts: readonly DraftNode[]
}
/** A comparison as it is being put together: anything of it may still be empty. */
export interface DraftComparison {
  readonly id: number
  readonly field: string
  readonly operator: Operator
  readonly value: Comparison['value']
}
export type DraftNode = DraftGroup | DraftComparison

/** What is missing of a draft: a part of a comparison, or anything at all in a group. */
export type Flaw = 'field' | 'operator' | 'value' | 'group'

let lastId = 0
const newId = (): number => {
  lastId += 1
  return lastId
}

export const blankComparison = (): DraftComparison => ({ id: newId(), field: '', operator: 'equals', value: '' })
export const blankGroup = (mode: GroupMode): DraftGroup => ({ id: newId(), mode, parts: [blankComparison()] })

const nodeOf = (condition: Condition): DraftNode =>
  'field' in condition ? { id: newId(), field: condition.field, operator: condition.operator, value: condition.value } : groupOf(condition)

const groupOf = (condition: Condition): DraftGroup => {
  const group = (mode: GroupMode, parts: readonly Condition[]): DraftGroup => ({ id: newId(), mode, parts: parts.map(nodeOf) })
  if ('field' in condition) return group('all', [condition])
  if ('all' in condition) return group('all', condition.all)
  if ('any' in condition) return group('any', condition.any)
  if ('any' in condition.not) return group('none', condition.not.any)
  return 'all' in condition.not ? group('notAll', condition.not.all) : group('none', [condition.not])
}

/** A tree to work on; none is a group with one empty comparison. */
export const draftOf = (condition: Condition | null): DraftGroup => (condition ? groupOf(condition) : blankGroup('all'))

const conditionOfNode = (node: DraftNode): Condition => {
  if ('parts' in node) return conditionOf(node)
  const { field, operator, value } = node
  if (value === undefined) return { field, operator }
  return { field, operator, value: typeof value === 'string' ? value.trim() : value }
}

/** The tree of a draft without flaws. A group of one is that one. */
export const conditionOf = ({ mode, parts }: DraftGroup): Condition => {
  const [only, ...others] = parts.map(conditionOfNode)
  const single = only && others.length === 0 ? only : undefined
  if (mode === 'all' || mode === 'any') {
    const all = parts.map(conditionOfNode)
    return single ?? (mode === 'all' ? { all } : { any: all })
  }
  const inner = single ?? (mode === 'none' ? { any: parts.map(conditionOfNode) } : { all: parts.map(conditionOfNode) })
  return { not: inner }
}

/** What is missing, by the id of the group or comparison that it is missing in. */
export const flawsOf = (node: DraftNode): ReadonlyMap<number, Flaw> => {
  if ('parts' in node) {
    const own: [number, Flaw][] = node.parts.length === 0 ? [[node.id, 'group']] : []
    return new Map([...own, ...node.parts.flatMap((part) => [...flawsOf(part)])])
  }
  const { field, operator, value } = node
  const flaw = flawOf({ field, operator, value: typeof value === 'string' ? value.trim() : value })
  return new Map(flaw ? [[node.id, flaw]] : [])
}

/** How many comparisons a draft holds. */
export const comparisonsIn = (node: DraftNode): number =>
  'parts' in node ? node.parts.reduce((sum, part) => sum + comparisonsIn(part), 0) : 1

/** The draft after one of its nodes became something else, or went (null). */
export const withNode = (group: DraftGroup, id: number, change: (node: DraftNode) => DraftNode | null): DraftGroup => {
  const parts = group.parts.flatMap((part) => {
    const next = part.id === id ? change(part) : 'parts' in part ? withNode(part, id, change) : part
    return next ? [next] : []
  })
  return { ...group, parts }
}

const EMPTY: Record<Operand, Comparison['value']> = {
  none: undefined,
  one: '',
  many: [],
  day: '',
  days: { from: '', to: '' },
  span: { number: 0, scale: 'month' },
  flag: true,
}

/** The operators of a field's type; those of texts while there is no field. */
export const operatorsOf = (field: string): readonly Operator[] => OPERATORS[conditionField(field)?.type ?? 'text']

/** A comparison with another operator; what was entered stays where it still fits. */
export const withOperator = (comparison: DraftComparison, operator: Operator): DraftComparison => {
  const [before, after] = [operandOf(comparison.operator), operandOf(operator)]
  const { value } = comparison
  if (before === after) return { ...comparison, operator }
  if (before === 'one' && after === 'many' && typeof value === 'string')
    return { ...comparison, operator, value: value === '' ? [] : [value] }
  if (before === 'many' && after === 'one' && Array.isArray(value)) return { ...comparison, operator, value: value[0] ?? '' }
  return { ...comparison, operator, value: EMPTY[after] }
}

const isTime = (type: ConditionType | undefined): boolean => type === 'date' || type === 'instant'

/** A comparison of another field; operator and value stay only between two dates or two texts. */
export const withField = (comparison: DraftComparison, field: string): DraftComparison => {
  const [before, after] = [conditionField(comparison.field)?.type, conditionField(field)?.type]
  if ((before === 'text' && after === 'text') || (isTime(before) && isTime(after))) return { ...comparison, field }
  const operator = operatorsOf(field)[0] ?? 'equals'
  return { ...comparison, field, operator, value: EMPTY[operandOf(operator)] }
}
