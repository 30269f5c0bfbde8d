import { type RawBuilder, sql } from 'kysely'
import type { BoundFilter, TestOperator } from './bind-filter.rules.ts'
import { isResourceId } from './resource-id.rules.ts'
import { refuse } from './scim-error.ts'
import { ENTERPRISE_ID, type ResourceKind } from './scim-schemas.ts'

type Condition = RawBuilder<boolean>
type Test = Extract<BoundFilter, { type: 'test' }>

/** `{"name":{"givenname":"ada"}}` */
const nested = (at: readonly string[], value: unknown): unknown => at.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)

const contains = (holder: RawBuilder<unknown>, part: unknown): Condition => sql<boolean>`${holder} @> ${JSON.stringify(part)}::jsonb`

const TEXT_TESTS: Readonly<Record<TestOperator, (left: RawBuilder<unknown>, right: string) => Condition>> = {
  eq: (left, right) => sql<boolean>`${left} = ${right}`,
  co: (left, right) => sql<boolean>`strpos(${left}, ${right}) > 0`,
  sw: (left, right) => sql<boolean>`starts_with(${left}, ${right})`,
  ew: (left, right) => sql<boolean>`right(${left}, length(${right}::text)) = ${right}`,
  gt: (left, right) => sql<boolean>`${left} collate "C" > ${right}`,
  ge: (left, right) => sql<boolean>`${left} collate "C" >= ${right}`,
  lt: (left, right) => sql<boolean>`${left} collate "C" < ${right}`,
  le: (left, right) => sql<boolean>`${left} collate "C" <= ${right}`,
}

const INSTANT_OPERATORS: Partial<Record<TestOperator, RawBuilder<unknown>>> = {
  eq: sql.raw('='),
  gt: sql.raw('>'),
  ge: sql.raw('>='),
  lt: sql.raw('<'),
  le: sql.raw('<='),
}

const textTest = (left: RawBuilder<unknown>, { operator, value }: Test): Condition =>
  sql<boolean>`coalesce(${TEXT_TESTS[operator](left, String(value))}, false)`

/** Whether the filter is only "this part equals that", so that one value of the list contains them all. */
const equalParts = (filter: BoundFilter): Record<string, string | boolean> | undefined => {
  if (filter.type === 'and') {
    const [left, right] = [equalParts(filter.left), equalParts(filter.right)]
    if (!left || !right || Object.keys(left).some((name) => name in right)) return undefined
    return { ...left, ...right }
  }
  return filter.type === 'test' && filter.operator === 'eq' && filter.at[0] !== undefined ? { [filter.at[0]]: filter.value } : undefined
}

const joined = (filter: BoundFilter, inner: (filter: BoundFilter) => Condition): Condition | undefined => {
  if (filter.type === 'and') return sql<boolean>`(${inner(filter.left)} and ${inner(filter.right)})`
  if (filter.type === 'or') return sql<boolean>`(${inner(filter.left)} or ${inner(filter.right)})`
  return filter.type === 'not' ? sql<boolean>`not (${inner(filter.filter)})` : undefined
}

const unsupported = (name: string) => refuse('invalidFilter', `${name} can only be filtered by the value it equals.`)

/** On one value `e` of a list. */
const onElement = (filter: BoundFilter): Condition => {
  const chain = joined(filter, onElement)
  if (chain) return chain
  if (filter.type === 'present') return sql<boolean>`e ? ${filter.at[0]}::text`
  if (filter.type !== 'test') throw refuse('invalidFilter', 'Brackets cannot stand within brackets.')
  return filter.operator === 'eq' ? contains(sql`e`, nested(filter.at, filter.value)) : textTest(sql`(e ->> ${filter.at[0]}::text)`, filter)
}

/** On one membership `m`; `other` is the column of whoever is on the other side. */
const onMembership = (filter: BoundFilter, other: RawBuilder<unknown>): Condition => {
  const chain = joined(filter, (inner) => onMembership(inner, other))
  if (chain) return chain
  if (filter.type !== 'test' || filter.operator !== 'eq' || filter.at[0] !== 'value') throw unsupported('A membership')
  const id = String(filter.value).toLowerCase()
  return isResourceId(id) ? sql<boolean>`${other} = ${id}::uuid` : sql<boolean>`false`
}

const MEMBERSHIPS: Readonly<Record<string, { own: RawBuilder<unknown>; other: RawBuilder<unknown> }>> = {
  groups: { own: sql.raw('m.user_id'), other: sql.raw('m.group_id') },
  members: { own: sql.raw('m.group_id'), other: sql.raw('m.user_id') },
}

const memberships = (list: string, filter: BoundFilter | undefined): Condition | undefined => {
  const side = MEMBERSHIPS[list]
  if (!side) return undefined
  const condition = filter ? onMembership(filter, side.other) : sql<boolean>`true`
  return sql<boolean>`exists (
    select from scim_group_members m
    where m.tenant_id = r.tenant_id and m.connector_id = r.connector_id and ${side.own} = r.id and ${condition})`
}

const someOf = ({ list, filter }: Extract<BoundFilter, { type: 'some' }>): Condition => {
  const membership = memberships(list.join('.'), filter)
  if (membership) return membership
  const parts = equalParts(filter)
  if (parts) return contains(sql`r.search`, nested(list, [parts]))
  return sql<boolean>`exists (select from jsonb_array_elements(r.search #> ${list}::text[]) e where ${onElement(filter)})`
}

/** What stands in columns of its own; keyed by folded path. */
const columnTest = (kind: ResourceKind, test: Test): Condition | undefined => {
  const path = test.at.join('.')
  const value = String(test.value)
  if (path === 'meta.created' || path === 'meta.lastmodified') {
    const column = sql.raw(path === 'meta.created' ? 'r.created_at' : 'r.updated_at')
    return sql<boolean>`${column} ${INSTANT_OPERATORS[test.operator] ?? sql.raw('=')} ${value}::timestamptz`
  }
  if (path === 'meta.resourcetype') return textTest(sql`${kind.name}::text`, test)
  if (test.at[0] === 'meta') throw refuse('invalidFilter', `${path} cannot be filtered by.`)
  if (path === 'id') {
    if (test.operator !== 'eq') return textTest(sql`r.id::text`, test)
    return isResourceId(value) ? sql<boolean>`r.id = ${value}::uuid` : sql<boolean>`false`
  }
  if (test.operator !== 'eq') return undefined
  if (path === 'externalid') return sql<boolean>`(r.external_id is not null and r.external_id = ${value})`
  if (path === 'username') return sql<boolean>`r.user_name_folded = ${value}`
  if (path === 'displayname' && kind.name === 'Group') return sql<boolean>`r.name_folded = ${value}`
  return undefined
}

/**
 * A filter as a condition on a row `r` of `scim_users` or `scim_groups`. What equals is found by an index, whichever attribute it is; the rest looks
 * at the connector's rows. It is true or false, never null, so that `not` turns it round. Throws `invalidFilter`.
 */
export const compileFilter = (kind: ResourceKind, filter: BoundFilter): Condition => {
  const chain = joined(filter, (inner) => compileFilter(kind, inner))
  if (chain) return chain
  if (filter.type === 'some') return someOf(filter)
  if (filter.type === 'present') {
    if (filter.at[0] === 'id' || filter.at[0] === 'meta') return sql<boolean>`true`
    return memberships(filter.at.join('.'), undefined) ?? sql<boolean>`(r.search #> ${filter.at}::text[]) is not null`
  }
  if (filter.type !== 'test') throw unsupported(ENTERPRISE_ID)
  const column = columnTest(kind, filter)
  if (column) return column
  if (filter.operator === 'eq') return contains(sql`r.search`, nested(filter.at, filter.value))
  return textTest(sql`(r.search #>> ${filter.at}::text[])`, filter)
}
