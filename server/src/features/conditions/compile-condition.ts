import { type Comparison, type Condition, conditionField, type Operator, type Span } from '@instep/contract/conditions.ts'
import { columnOf, type UserFieldName } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from '../../platform/db/escape-like.ts'

type Expression = RawBuilder<unknown>
type Predicate = RawBuilder<boolean>

/** The pieces of a text that few people have somewhere in `users.search`; whoever has the text there has them. */
export type RarePieces = (text: string) => readonly string[]

/** What a condition is measured by. */
export interface ConditionMoment {
  /** The day that spans count from, `YYYY-MM-DD` in the tenant's time zone. */
  readonly today: string
  /** Absent: nothing is known to be rare. */
  readonly rarePieces?: RarePieces | undefined
}

const linked = sql`exists (select from source_links l where l.tenant_id = u.tenant_id and l.user_id = u.id)`

/** Fields that are no column of the form model. */
const EXPRESSIONS: Readonly<Record<string, Expression>> = {
  active: sql`u.active`,
  locked: sql`u.locked`,
  vip: sql`u.vip`,
  overridden: sql`u.overridden`,
  status: sql`case when u.active then u.claim_state when u.deactivated_at is null then 'inactive' else 'deactivated' end`,
  claimState: sql`u.claim_state`,
  ingestionType: sql`case when ${linked} then (select c.ingestion_type from connectors c where c.tenant_id = u.tenant_id and c.id = u.connector_id)
    else 'manual' end`,
  siteId: sql`u.site_id`,
  siteGroupId: sql`(select s.group_id from sites s where s.tenant_id = u.tenant_id and s.id = u.site_id)`,
  connectorId: sql`u.connector_id`,
  ...Object.fromEntries(
    ['invitedAt', 'claimedAt', 'deactivatedAt', 'createdAt', 'updatedAt'].map((field) => [
      field,
      sql`(${sql.ref(`u.${columnOf(field as UserFieldName)}`)} at time zone 'UTC')::date`,
    ]),
  ),
}

const CLAIM_FIELDS = 'claimFields.'

const expressionOf = (field: string): Expression => {
  if (field.startsWith(CLAIM_FIELDS)) return sql`(u.claim_fields ->> ${field.slice(CLAIM_FIELDS.length)})`
  return EXPRESSIONS[field] ?? sql.ref(`u.${columnOf(field as UserFieldName)}`)
}

/** Without regard to case; an external id's own collation folds no letter beyond ASCII. */
const folded = (expression: Expression): Expression => sql`lower(${expression} collate "default")`
const pattern = (before: string, text: unknown, after: string): Expression =>
  sql`${before}::text || lower(${escapeLike(String(text))}) || ${after}::text`

/** The database's days begin in 4713 BC; nobody's date is as far away as this. */
const MOST_YEARS = 5000

/** The day a span away from today; `sign` -1 is back. */
const dayAway = ({ number, scale }: Span, sign: -1 | 1, today: string): Expression => {
  const many = scale === 'year' ? Math.min(number, MOST_YEARS) : number
  return sql`(${today}::date + make_interval(${sql.raw(`${scale}s`)} => ${sign * many}))::date`
}

type Compile = (expression: Expression, value: never, moment: ConditionMoment) => Predicate

/** True for those who have such a value; where there is none, null, which the whole predicate takes for false. */
const TEXT: Readonly<Record<string, Compile>> = {
  equals: (text, value) => sql<boolean>`${folded(text)} = lower(${value})`,
  in: (text, values) => sql<boolean>`${folded(text)} = any (select lower(v) from unnest(${values}::text[]) v)`,
  contains: (text, value) => sql<boolean>`${folded(text)} like ${pattern('%', value, '%')}`,
  startsWith: (text, value) => sql<boolean>`${folded(text)} like ${pattern('', value, '%')}`,
  endsWith: (text, value) => sql<boolean>`${folded(text)} like ${pattern('%', value, '')}`,
  isNotEmpty: (text) => sql<boolean>`${text} <> ''`,
}

const day = (operator: string): Compile => {
  const compare = sql.raw(operator)
  return (date, value) => sql<boolean>`${date} ${compare} ${value}::date`
}
const DATE: Readonly<Record<string, Compile>> = {
  on: day('='),
  before: day('<'),
  after: day('>'),
  onOrBefore: day('<='),
  onOrAfter: day('>='),
  between: (date, { from, to }: { from: string; to: string }) => sql<boolean>`${date} between ${from}::date and ${to}::date`,
  withinLast: (date, span: Span, { today }) => sql<boolean>`${date} between ${dayAway(span, -1, today)} and ${today}::date`,
  withinNext: (date, span: Span, { today }) => sql<boolean>`${date} between ${today}::date and ${dayAway(span, 1, today)}`,
  moreThanAgo: (date, span: Span, { today }) => sql<boolean>`${date} < ${dayAway(span, -1, today)}`,
  isNotEmpty: (date) => sql<boolean>`${date} is not null`,
}

const oneOf = (type: 'text' | 'uuid'): Readonly<Record<string, Compile>> => {
  const cast = sql.raw(type)
  return {
    equals: (expression, value) => sql<boolean>`${expression} = ${value}::${cast}`,
    in: (expression, values) => sql<boolean>`${expression} = any (${values}::${cast}[])`,
    isNotEmpty: (expression) => sql<boolean>`${expression} is not null`,
  }
}

const COMPILERS = {
  text: TEXT,
  date: DATE,
  instant: DATE,
  boolean: { is: (flag: Expression, value: never) => sql<boolean>`${flag} = ${value}::boolean` },
  choice: oneOf('text'),
  id: oneOf('uuid'),
} as const satisfies Record<string, Readonly<Record<string, Compile>>>

/** Operators that say the opposite of another. */
const OPPOSITES: Partial<Record<Operator, Operator>> = { notEquals: 'equals', notIn: 'in', notContains: 'contains', isEmpty: 'isNotEmpty' }

/** Fields whose texts stand in `users.search` too, one behind the other and folded alike. */
const SEARCHED: ReadonlySet<string> = new Set<UserFieldName>([
  'displayName',
  'givenName',
  'familyName',
  'externalId',
  'employeeNumber',
  'workEmail',
  'personalEmail',
])
const WITHIN: ReadonlySet<Operator> = new Set<Operator>(['equals', 'contains', 'startsWith', 'endsWith'])

/** The same, and what follows from it that the trigram index can answer: what few have anywhere, fewer have in this field. */
const sooner = (predicate: Predicate, { field, operator, value }: Comparison, { rarePieces }: ConditionMoment): Predicate => {
  const pieces = SEARCHED.has(field) && WITHIN.has(operator) ? (rarePieces?.(String(value)) ?? []) : []
  const anywhere = pieces.map((piece) => sql<boolean>`u.search like ${pattern('%', piece, '%')}`)
  return pieces.length > 0 ? sql<boolean>`(${sql.join([...anywhere, predicate], sql` and `)})` : predicate
}

const compare = ({ field, operator, value }: Comparison, { moment, negated }: Way): Predicate => {
  const opposite = OPPOSITES[operator]
  if (opposite) return compare({ field, operator: opposite, value }, { moment, negated: !negated })
  const known = conditionField(field)
  const compile = known && (COMPILERS[known.type] as Partial<Record<Operator, Compile>>)[operator]
  // the contract's schema has refused whatever is not known
  if (!compile) throw new TypeError(`no condition: ${field} ${operator}`)
  const expression = expressionOf(field)
  const predicate = compile(expression, value as never, moment)
  return negated ? sql<boolean>`(${expression} is null or not ${predicate})` : sooner(predicate, { field, operator, value }, moment)
}

/** How a part is meant. `not` is carried down to the comparisons, so that what the planner sees it can estimate. */
interface Way {
  readonly moment: ConditionMoment
  readonly negated: boolean
}

const compile = (condition: Condition, way: Way): Predicate => {
  if ('field' in condition) return compare(condition, way)
  if ('not' in condition) return compile(condition.not, { ...way, negated: !way.negated })
  const isAll = 'all' in condition
  const parts = (isAll ? condition.all : condition.any).map((part) => compile(part, way))
  return sql<boolean>`(${sql.join(parts, isAll === way.negated ? sql` or ` : sql` and `)})`
}

/** One predicate over `users as u` for a checked condition: true for those whom it admits, false or null for everybody else. */
export const compileCondition = (condition: Condition, moment: ConditionMoment): Predicate => compile(condition, { moment, negated: false })
