/** What a condition means for values at hand: the same as its SQL means for rows. Pure. */
import { type Comparison, type Condition, conditionField, type Operator, type Span, walkCondition } from './conditions.ts'

/** Values by field: texts, days as `YYYY-MM-DD`, booleans; null or absent where there is none. */
type Values = Readonly<Record<string, unknown>>
type Holds = (values: Values) => boolean

/** The day a span away from today; months and years end where the shorter month ends, as in PostgreSQL. */
const dayAway = ({ number, scale }: Span, sign: -1 | 1, today: string): string => {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  if (scale === 'day' || scale === 'week') {
    const days = number * (scale === 'week' ? 7 : 1) * sign
    return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
  }
  const months = year * 12 + month - 1 + number * (scale === 'year' ? 12 : 1) * sign
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate()
  return new Date(Date.UTC(Math.floor(months / 12), months % 12, Math.min(day, last))).toISOString().slice(0, 10)
}

type Test = (own: string) => boolean
type Make = (value: never, today: string) => Test

const TEXT: Readonly<Record<string, Make>> = {
  equals: (value: string) => (own) => own === value,
  in: (values: readonly string[]) => {
    const known = new Set(values)
    return (own) => known.has(own)
  },
  contains: (value: string) => (own) => own.includes(value),
  startsWith: (value: string) => (own) => own.startsWith(value),
  endsWith: (value: string) => (own) => own.endsWith(value),
  isNotEmpty: () => (own) => own !== '',
}

const between = (from: string, to: string): Test => {
  return (own) => own >= from && own <= to
}
const DAY: Readonly<Record<string, Make>> = {
  on: (value: string) => (own) => own === value,
  before: (value: string) => (own) => own < value,
  after: (value: string) => (own) => own > value,
  onOrBefore: (value: string) => (own) => own <= value,
  onOrAfter: (value: string) => (own) => own >= value,
  between: ({ from, to }: { from: string; to: string }) => between(from, to),
  withinLast: (span: Span, today) => between(dayAway(span, -1, today), today),
  withinNext: (span: Span, today) => between(today, dayAway(span, 1, today)),
  moreThanAgo: (span: Span, today) => {
    const day = dayAway(span, -1, today)
    return (own) => own < day
  },
  isNotEmpty: () => () => true,
}

/** Operators that say the opposite of another. */
const OPPOSITES: Partial<Record<Operator, Operator>> = { notEquals: 'equals', notIn: 'in', notContains: 'contains', isEmpty: 'isNotEmpty' }

const fold = (value: unknown): unknown => (Array.isArray(value) ? value.map(fold) : typeof value === 'string' ? value.toLowerCase() : value)

const compare = ({ field, operator, value }: Comparison, today: string): Holds => {
  const opposite = OPPOSITES[operator]
  if (opposite) {
    const holds = compare({ field, operator: opposite, value }, today)
    return (values) => !holds(values)
  }
  const type = conditionField(field)?.type
  if (type === 'boolean') return (values) => values[field] === value
  const makers = type === 'date' || type === 'instant' ? DAY : TEXT
  const make = Object.hasOwn(makers, operator) ? makers[operator] : undefined
  if (!type || !make) throw new TypeError(`no condition: ${field} ${operator}`)
  const test = make((type === 'text' ? fold(value) : value) as never, today)
  return (values) => {
    const own = values[field]
    return typeof own === 'string' && test(type === 'text' ? own.toLowerCase() : own)
  }
}

/**
 * Compiles a checked condition once, to be asked of many.
 *
 * @param today `YYYY-MM-DD`, what spans are counted from
 */
export const holdsFor = (condition: Condition, today: string): Holds => {
  if ('field' in condition) return compare(condition, today)
  if ('not' in condition) {
    const holds = holdsFor(condition.not, today)
    return (values) => !holds(values)
  }
  if ('all' in condition) {
    const parts = condition.all.map((part) => holdsFor(part, today))
    return (values) => parts.every((holds) => holds(values))
  }
  const parts = condition.any.map((part) => holdsFor(part, today))
  return (values) => parts.some((holds) => holds(values))
}

/** The fields that a condition speaks of, each once. */
export const fieldsOf = (condition: Condition): string[] => [
  ...new Set(walkCondition(condition).comparisons.map(({ comparison }) => comparison.field)),
]

/** Whether what a condition says of the same values may be another tomorrow. */
export const movesWithTime = (condition: Condition): boolean =>
  walkCondition(condition).comparisons.some(({ comparison: { operator } }) =>
    ['withinLast', 'withinNext', 'moreThanAgo'].includes(operator),
  )
