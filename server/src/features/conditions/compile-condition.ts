import { type Comparison, type Condition, conditionField, type Operator, type Span } from '@instep/contract/conditions.ts'
import { columnOf, type UserFieldName } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from '../../platform/db/escape-like.ts'

type Expression = RawBuilder<unknown>
type Predicate = RawBuilder<boolean>

/** What a condition is measured by. */
export interface ConditionMoment {
  /** The day that spans count from, `YYYY-MM-DD` in the tenant's time zone. */
  readonly today: string
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

/** The day a span away from today; `sign` -1 is back. */
const dayAway = ({ number, scale }: Span, sign: -1 | 1, today: string): Expression =>
  sql`(${today}::date + make_interval(${sql.raw(`${scale}s`)} => ${sign * number}))::date`

type Compile = (expression: Expression, value: never, moment: ConditionMoment) => Predicate
const filled = (text: Expression): Predicate => sql<boolean>`coalesce(${text}, '') <> ''`

// every comparison is true or false, never null, so that `not` means what it says
const TEXT: Readonly<Record<string, Compile>> = {
  equals: (text, value) => sql<boolean>`coalesce(${folded(text)} = lower(${value}), false)`,
  notEquals: (text, value) => sql<boolean>`coalesce(${folded(text)} <> lower(${value}), true)`,
  in: (text, values) => sql<boolean>`coalesce(${folded(text)} = any (select lower(v) from unnest(${values}::text[]) v), false)`,
  notIn: (text, values) => sql<boolean>`coalesce(${folded(text)} <> all (select lower(v) from unnest(${values}::text[]) v), true)`,
  contains: (text, value) => sql<boolean>`coalesce(${folded(text)} like ${pattern('%', value, '%')}, false)`,
  notContains: (text, value) => sql<boolean>`coalesce(${folded(text)} not like ${pattern('%', value, '%')}, true)`,
  startsWith: (text, value) => sql<boolean>`coalesce(${folded(text)} like ${pattern('', value, '%')}, false)`,
  endsWith: (text, value) => sql<boolean>`coalesce(${folded(text)} like ${pattern('%', value, '')}, false)`,
  isEmpty: (text) => sql<boolean>`not ${filled(text)}`,
  isNotEmpty: filled,
}

const day = (operator: string): Compile => {
  const compare = sql.raw(operator)
  return (date, value) => sql<boolean>`coalesce(${date} ${compare} ${value}::date, false)`
}
const within = (date: Expression, from: Expression, to: Expression): Predicate =>
  sql<boolean>`coalesce(${date} between ${from} and ${to}, false)`
const DATE: Readonly<Record<string, Compile>> = {
  on: day('='),
  before: day('<'),
  after: day('>'),
  onOrBefore: day('<='),
  onOrAfter: day('>='),
  between: (date, { from, to }: { from: string; to: string }) => within(date, sql`${from}::date`, sql`${to}::date`),
  withinLast: (date, span: Span, { today }) => within(date, dayAway(span, -1, today), sql`${today}::date`),
  withinNext: (date, span: Span, { today }) => within(date, sql`${today}::date`, dayAway(span, 1, today)),
  moreThanAgo: (date, span: Span, { today }) => sql<boolean>`coalesce(${date} < ${dayAway(span, -1, today)}, false)`,
  isEmpty: (date) => sql<boolean>`${date} is null`,
  isNotEmpty: (date) => sql<boolean>`${date} is not null`,
}

const oneOf = (type: 'text' | 'uuid'): Readonly<Record<string, Compile>> => {
  const cast = sql.raw(type)
  return {
    equals: (expression, value) => sql<boolean>`coalesce(${expression} = ${value}::${cast}, false)`,
    notEquals: (expression, value) => sql<boolean>`coalesce(${expression} <> ${value}::${cast}, true)`,
    in: (expression, values) => sql<boolean>`coalesce(${expression} = any (${values}::${cast}[]), false)`,
    notIn: (expression, values) => sql<boolean>`coalesce(${expression} <> all (${values}::${cast}[]), true)`,
    isEmpty: (expression) => sql<boolean>`${expression} is null`,
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

const compare = ({ field, operator, value }: Comparison, moment: ConditionMoment): Predicate => {
  const known = conditionField(field)
  const compile = known && (COMPILERS[known.type] as Partial<Record<Operator, Compile>>)[operator]
  // the contract's schema has refused whatever is not known
  if (!compile) throw new TypeError(`no condition: ${field} ${operator}`)
  return compile(expressionOf(field), value as never, moment)
}

/** One predicate over `users as u` for a checked condition; true or false for everybody, never null. */
export const compileCondition = (condition: Condition, moment: ConditionMoment): Predicate => {
  if ('field' in condition) return compare(condition, moment)
  if ('not' in condition) return sql<boolean>`(not ${compileCondition(condition.not, moment)})`
  const [parts, word] = 'all' in condition ? [condition.all, sql` and `] : [condition.any, sql` or `]
  return sql<boolean>`(${sql.join(
    parts.map((part) => compileCondition(part, moment)),
    word,
  )})`
}
