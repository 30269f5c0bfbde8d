import { type AttributePath, readPath } from './attribute-path.rules.ts'
import type { Filter, Operator } from './filter-text.rules.ts'
import { refuse, ScimError } from './scim-error.ts'
import { type Attribute, findAttribute, type ResourceKind } from './scim-schemas.ts'
import { foldText } from './search-document.rules.ts'

/**
 * A filter whose paths are found and whose values are folded as the attribute is compared: what it means on a search document
 * (`searchDocumentOf`). `at` and `list` are folded names, from the document or from the value of the list that is looked at.
 */
export type BoundFilter =
  | { readonly type: 'and' | 'or'; readonly left: BoundFilter; readonly right: BoundFilter }
  | { readonly type: 'not'; readonly filter: BoundFilter }
  /** Some value of the list fits. */
  | { readonly type: 'some'; readonly list: readonly string[]; readonly filter: BoundFilter }
  | { readonly type: 'present'; readonly at: readonly string[] }
  | { readonly type: 'test'; readonly at: readonly string[]; readonly operator: TestOperator; readonly value: string | boolean }

export type TestOperator = Exclude<Operator, 'ne' | 'pr'>
type Compare = Extract<Filter, { type: 'compare' }>

const bad = (detail: string) => refuse('invalidFilter', detail)

const valueFor = ({ type, name, caseExact }: Attribute, { operator, value }: Compare): string | boolean => {
  const wrong = () => bad(`"${String(value).slice(0, 100)}" cannot be compared with ${name} by ${operator}.`)
  if (type === 'boolean') {
    // Entra ID writes roles[primary eq "True"]
    const given = typeof value === 'string' ? value.toLowerCase() : String(value)
    if ((given !== 'true' && given !== 'false') || (operator !== 'eq' && operator !== 'ne')) throw wrong()
    return given === 'true'
  }
  if (type === 'dateTime') {
    const at = new Date(String(value))
    if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9999 || /^(co|sw|ew)$/.test(operator)) throw wrong()
    return at.toISOString()
  }
  if (type === 'complex' || type === 'any') throw wrong()
  return caseExact ? String(value) : foldText(String(value))
}

const testOf = (attribute: Attribute, at: readonly string[], compare: Compare): BoundFilter => {
  const { operator, value } = compare
  const present: BoundFilter = { type: 'present', at }
  if (operator === 'pr') return present
  if (value === null) {
    if (operator === 'eq') return { type: 'not', filter: present }
    if (operator === 'ne') return present
    throw bad(`Nothing can be compared with null by ${operator}.`)
  }
  const test: BoundFilter = { type: 'test', at, operator: operator === 'ne' ? 'eq' : operator, value: valueFor(attribute, compare) }
  return operator === 'ne' ? { type: 'not', filter: test } : test
}

const namesOf = ({ extension, attribute }: AttributePath): string[] =>
  [extension, attribute?.name].filter((name) => name !== undefined).map((name) => name.toLowerCase())

const found = (kind: ResourceKind, path: string): AttributePath & { attribute: Attribute } => {
  try {
    const { attribute, ...rest } = readPath(kind, path)
    if (attribute && attribute.type !== 'any' && attribute.mutability !== 'writeOnly') return { attribute, ...rest }
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
  }
  throw bad(`People and groups cannot be filtered by "${path.slice(0, 100)}".`)
}

const bindCompare = (kind: ResourceKind, compare: Compare): BoundFilter => {
  const path = found(kind, compare.path)
  const { attribute, part } = path
  const names = namesOf(path)
  if (attribute.multiValued) {
    if (!part && compare.operator === 'pr') return { type: 'present', at: names }
    const inner = part ?? findAttribute(attribute.subAttributes, 'value')
    if (!inner) throw bad(`${attribute.name} has no value of its own.`)
    const some = (operator: Operator): BoundFilter => ({
      type: 'some',
      list: names,
      filter: testOf(inner, [inner.name.toLowerCase()], { ...compare, operator }),
    })
    // none of the values equals it
    return compare.operator === 'ne' ? { type: 'not', filter: some('eq') } : some(compare.operator)
  }
  const inner = part ?? (compare.operator === 'pr' ? undefined : findAttribute(attribute.subAttributes, 'value'))
  return testOf(inner ?? attribute, inner ? [...names, inner.name.toLowerCase()] : names, compare)
}

/** Reads the filter in brackets behind an attribute: its paths are the parts of one value. Throws `invalidFilter`. */
export const bindPartFilter = (attribute: Attribute, filter: Filter): BoundFilter => {
  switch (filter.type) {
    case 'and':
    case 'or':
      return { type: filter.type, left: bindPartFilter(attribute, filter.left), right: bindPartFilter(attribute, filter.right) }
    case 'not':
      return { type: 'not', filter: bindPartFilter(attribute, filter.filter) }
    case 'where':
      throw bad('Brackets cannot stand within brackets.')
    case 'compare': {
      const part = findAttribute(attribute.subAttributes, filter.path)
      if (!part) throw bad(`${attribute.name} has no "${filter.path.slice(0, 100)}".`)
      return testOf(part, [part.name.toLowerCase()], filter)
    }
  }
}

/** Finds what a filter's paths name in a kind of resource. Throws `invalidFilter` where there is no such attribute or it cannot be compared so. */
export const bindFilter = (kind: ResourceKind, filter: Filter): BoundFilter => {
  switch (filter.type) {
    case 'and':
    case 'or':
      return { type: filter.type, left: bindFilter(kind, filter.left), right: bindFilter(kind, filter.right) }
    case 'not':
      return { type: 'not', filter: bindFilter(kind, filter.filter) }
    case 'where': {
      const path = found(kind, filter.path)
      if (!path.attribute.multiValued || path.part || path.filter) throw bad(`${path.attribute.name} is no list.`)
      return { type: 'some', list: namesOf(path), filter: bindPartFilter(path.attribute, filter.filter) }
    }
    case 'compare':
      return bindCompare(kind, filter)
  }
}
