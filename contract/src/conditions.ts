/**
 * The condition language (decisions.md section 5): a tree of and, or and not over the fields of a person with typed operators. It narrows lists
 * and exports, and every rule is written in it. The server compiles a tree to one parameterised predicate.
 */
import { z } from 'zod'
import type { FieldCode } from './field-message.ts'
import { isWithin, upTo } from './line-of-text.ts'
import { DELIVERIES, REFERENCE_TYPES, USER_FIELDS, type UserFieldName, userFieldNames } from './user-fields.ts'

/** `choice`: one of `options`; `id`: an id of the directory; `instant`: a moment, compared by its UTC day. */
export type ConditionType = 'text' | 'date' | 'instant' | 'boolean' | 'choice' | 'id'

export interface ConditionField {
  readonly type: ConditionType
  readonly options?: readonly string[]
}

const ofUserField = (field: UserFieldName): ConditionField => {
  const { type } = USER_FIELDS[field]
  if (type === 'date') return { type: 'date' }
  if (type === 'delivery') return { type: 'choice', options: DELIVERIES }
  if (type === 'referenceType') return { type: 'choice', options: REFERENCE_TYPES }
  return { type: 'text' }
}

/** What a condition can speak of besides the fields of the form model. */
const OWN_FIELDS = {
  active: { type: 'boolean' },
  locked: { type: 'boolean' },
  vip: { type: 'boolean' },
  overridden: { type: 'boolean' },
  status: { type: 'choice', options: ['awaitingInvitation', 'invited', 'claimed', 'inactive', 'deactivated'] },
  claimState: { type: 'choice', options: ['awaitingInvitation', 'invited', 'claimed'] },
  ingestionType: { type: 'choice', options: ['manual', 'file', 'scim', 'rest', 'ldap'] },
  siteId: { type: 'id' },
  siteGroupId: { type: 'id' },
  connectorId: { type: 'id' },
  invitedAt: { type: 'instant' },
  claimedAt: { type: 'instant' },
  deactivatedAt: { type: 'instant' },
  createdAt: { type: 'instant' },
  updatedAt: { type: 'instant' },
} as const satisfies Record<string, ConditionField>

type OwnField = keyof typeof OWN_FIELDS
export type ConditionFieldName = UserFieldName | OwnField

/** Every field by name. */
export const CONDITION_FIELDS: Readonly<Record<ConditionFieldName, ConditionField>> = {
  ...(Object.fromEntries(userFieldNames.map((field) => [field, ofUserField(field)])) as Record<UserFieldName, ConditionField>),
  ...OWN_FIELDS,
}
export const conditionFieldNames = Object.keys(CONDITION_FIELDS) as ConditionFieldName[]

/** Custom security attributes are named by their id: `claimFields.{id}`, compared as text. */
const CLAIM_FIELD = /^claimFields\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Undefined for a field that there is none of. */
export const conditionField = (name: string): ConditionField | undefined =>
  CLAIM_FIELD.test(name)
    ? { type: 'text' }
    : Object.hasOwn(CONDITION_FIELDS, name)
      ? CONDITION_FIELDS[name as ConditionFieldName]
      : undefined

const ONE_OF = ['equals', 'notEquals', 'in', 'notIn'] as const
const FILLED = ['isEmpty', 'isNotEmpty'] as const
const TIME = ['on', 'before', 'after', 'onOrBefore', 'onOrAfter', 'between', 'withinLast', 'withinNext', 'moreThanAgo'] as const

/** Operators by type of field, in the order in which they are offered. Texts are compared without regard to case. */
export const OPERATORS = {
  text: [...ONE_OF, 'contains', 'notContains', 'startsWith', 'endsWith', ...FILLED],
  date: [...TIME, ...FILLED],
  instant: [...TIME, ...FILLED],
  boolean: ['is'],
  choice: [...ONE_OF],
  id: [...ONE_OF, ...FILLED],
} as const satisfies Record<ConditionType, readonly string[]>
export type Operator = (typeof OPERATORS)[ConditionType][number]

/** What an operator compares with. */
export type Operand = 'none' | 'one' | 'many' | 'day' | 'days' | 'span' | 'flag'
const OPERANDS: Partial<Record<Operator, Operand>> = {
  isEmpty: 'none',
  isNotEmpty: 'none',
  in: 'many',
  notIn: 'many',
  on: 'day',
  before: 'day',
  after: 'day',
  onOrBefore: 'day',
  onOrAfter: 'day',
  between: 'days',
  withinLast: 'span',
  withinNext: 'span',
  moreThanAgo: 'span',
  is: 'flag',
}
export const operandOf = (operator: Operator): Operand => OPERANDS[operator] ?? 'one'

export const TIME_SCALES = ['day', 'week', 'month', 'year'] as const
/** Most days, weeks, months or years of a span. */
export const LONGEST_SPAN = 10_000
/** A length of time; days are counted from today in the tenant's time zone. */
export const Span = z.object({ number: z.number().int().min(1).max(LONGEST_SPAN), scale: z.enum(TIME_SCALES) })
export type Span = z.infer<typeof Span>

/** Longest text that something is compared with. */
export const LONGEST_TEXT = 1000
const Text = upTo(LONGEST_TEXT)
const Value = z.union([Text, z.boolean(), z.array(Text).min(1).max(1000), z.object({ from: z.iso.date(), to: z.iso.date() }), Span])

/** One comparison. `value` is what the operator's operand says: text, texts, `YYYY-MM-DD`, `{ from, to }`, a span, a boolean, or absent. */
export interface Comparison {
  readonly field: string
  readonly operator: Operator
  readonly value?: z.infer<typeof Value> | undefined
}
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | Comparison

/** How deep a tree may go, and how many comparisons it may hold. */
export const DEEPEST_CONDITION = 8
export const MOST_COMPARISONS = 100

const everyOperator = [...new Set(Object.values(OPERATORS).flat())] as [Operator, ...Operator[]]
const Comparison = z.object({ field: z.string().max(100), operator: z.enum(everyOperator), value: Value.optional() })
const Tree: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(Tree).min(1).max(MOST_COMPARISONS) }),
    z.strictObject({ any: z.array(Tree).min(1).max(MOST_COMPARISONS) }),
    z.strictObject({ not: Tree }),
    Comparison.strict(),
  ]),
)

// plain checks, because the browser asks them too and has no schemas
const UUID = /^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-(0{4}-){3}0{12}|f{8}-(f{4}-){3}f{12})$/i
const isId = (value: string): boolean => UUID.test(value)
const isDay = (value: unknown): value is string => {
  // there is no year 0
  if (typeof value !== 'string' || !/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}
const isSpan = (value: unknown): boolean =>
  isRecord(value) &&
  Number.isInteger(value['number']) &&
  Number(value['number']) >= 1 &&
  Number(value['number']) <= LONGEST_SPAN &&
  TIME_SCALES.some((scale) => scale === value['scale'])
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const oneFits = (value: unknown, { type, options }: ConditionField): boolean => {
  if (typeof value !== 'string') return false
  if (type === 'id') return isId(value)
  return options ? options.includes(value) : value !== '' && isWithin(value, LONGEST_TEXT)
}
const FITS: Record<Operand, (value: unknown, field: ConditionField) => boolean> = {
  none: (value) => value === undefined,
  one: oneFits,
  many: (value, field) => Array.isArray(value) && value.length > 0 && value.every((one) => oneFits(one, field)),
  day: isDay,
  days: (value) => isRecord(value) && isDay(value['from']) && isDay(value['to']) && value['from'] <= value['to'],
  span: isSpan,
  flag: (value) => typeof value === 'boolean',
}

/** What is wrong with one comparison: the part to mend, or undefined where it is complete. */
export const flawOf = ({ field, operator, value }: Comparison): 'field' | 'operator' | 'value' | undefined => {
  const known = conditionField(field)
  if (!known) return 'field'
  if (!(OPERATORS[known.type] as readonly string[]).includes(operator)) return 'operator'
  return FITS[operandOf(operator)](value, known) ? undefined : 'value'
}

interface Seen {
  readonly comparisons: readonly { comparison: Comparison; path: readonly (string | number)[] }[]
  readonly depth: number
}

/** Every comparison of a tree with its path, and how deep the tree goes. */
export const walkCondition = (condition: Condition, path: readonly (string | number)[] = []): Seen => {
  if ('field' in condition) return { comparisons: [{ comparison: condition, path }], depth: 1 }
  const parts =
    'not' in condition
      ? [walkCondition(condition.not, [...path, 'not'])]
      : 'all' in condition
        ? condition.all.map((one, index) => walkCondition(one, [...path, 'all', index]))
        : condition.any.map((one, index) => walkCondition(one, [...path, 'any', index]))
  return { comparisons: parts.flatMap(({ comparisons }) => comparisons), depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)) }
}

/** A whole tree, checked: known fields, operators of their types, values that fit, no empty group, not too deep and not too many. */
export const Condition = Tree.superRefine((condition, context) => {
  const { comparisons, depth } = walkCondition(condition)
  if (depth > DEEPEST_CONDITION)
    context.addIssue({ code: 'custom', message: `Nested deeper than ${DEEPEST_CONDITION} groups. Simplify it.` })
  if (comparisons.length > MOST_COMPARISONS)
    context.addIssue({ code: 'custom', message: `More than ${MOST_COMPARISONS} conditions. Simplify it.` })
  for (const { comparison, path } of comparisons) {
    const flaw = flawOf(comparison)
    if (flaw) context.addIssue({ code: 'custom', path: [...path, flaw], message: 'condition' satisfies FieldCode })
  }
})
