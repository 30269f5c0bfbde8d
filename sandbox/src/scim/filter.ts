/** SCIM filters (RFC 7644 section 3.4.2.2): text to a tree, and a tree to yes or no for one document. */
import { asList, isObject, type Json, type JsonObject } from './read-document.ts'
import { ScimError } from './scim-error.ts'

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const
type Operator = (typeof OPERATORS)[number]

/** `path` is the attribute as it was written; `value` is absent with `pr`. */
export interface Comparison {
  readonly type: 'compare'
  readonly path: string
  readonly operator: Operator
  readonly value: Json
}

export type Filter =
  | Comparison
  | { readonly type: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly type: 'not'; readonly filter: Filter }
  | { readonly type: 'where'; readonly path: string; readonly filter: Filter }

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/y

const bad = (detail: string) => new ScimError(400, detail, 'invalidFilter')

const tokensOf = (text: string): string[] => {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex
    const token = TOKEN.exec(text)?.[1]
    if (token === undefined) throw bad(`The filter cannot be read from character ${at + 1}.`)
    tokens.push(token)
  }
  return tokens
}

const literal = (token: string | undefined): Json => {
  try {
    const value: unknown = JSON.parse(token ?? '')
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Json
  } catch {
    // Falls through to the refusal below: the token is no JSON value.
  }
  throw bad(`"${token ?? ''}" is no value; texts stand in double quotes.`)
}

const isOperator = (word: string | undefined): word is Operator => OPERATORS.some((operator) => operator === word)

/** Binds `not`, then `and`, then `or`, as the RFC orders them. */
const readTokens = (tokens: string[]): Filter => {
  const next = () => tokens.shift()
  const word = () => tokens[0]?.toLowerCase()
  const expect = (token: string) => {
    if (next() !== token) throw bad(`The filter lacks "${token}".`)
  }
  const within = (close: string): Filter => {
    const filter = either()
    expect(close)
    return filter
  }
  const term = (): Filter => {
    if (word() === 'not') {
      next()
      expect('(')
      return { type: 'not', filter: within(')') }
    }
    const first = next()
    if (first === undefined) throw bad('The filter ends too early.')
    if (first === '(') return within(')')
    if (word() === '[') {
      next()
      return { type: 'where', path: first, filter: within(']') }
    }
    const operator = next()?.toLowerCase()
    if (!isOperator(operator)) throw bad(`"${operator ?? ''}" is no operator.`)
    return { type: 'compare', path: first, operator, value: operator === 'pr' ? null : literal(next()) }
  }
  const chain = (joint: 'and' | 'or', part: () => Filter): Filter => {
    let left = part()
    while (word() === joint) {
      next()
      left = { type: joint, left, right: part() }
    }
    return left
  }
  const both = () => chain('and', term)
  const either = (): Filter => chain('or', both)
  const filter = either()
  if (tokens.length > 0) throw bad(`The filter goes on with "${tokens[0]}" after its end.`)
  return filter
}

/** Reads a filter; refuses with `invalidFilter`. */
export const parseFilter = (text: string): Filter => readTokens(tokensOf(text))

const member = (value: Json | undefined, name: string): Json | undefined => {
  if (!isObject(value)) return undefined
  const key = Object.keys(value).find((each) => each.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : value[key]
}

/** The names along a path: an optional schema URN in front, then attribute and sub-attribute. */
export const pathParts = (path: string): string[] => {
  if (!path.toLowerCase().startsWith('urn:')) return path.split('.')
  const colon = path.lastIndexOf(':')
  const urn = path.slice(0, colon)
  const rest = path.slice(colon + 1).split('.')
  return /:core:2\.0$/i.test(urn.slice(0, urn.lastIndexOf(':'))) ? rest : [urn, ...rest]
}

/** Every value found along a path, lists opened. */
const valuesAt = (document: Json, path: string): Json[] => {
  let found: Json[] = [document]
  for (const part of pathParts(path)) found = found.flatMap((each) => asList(member(each, part)))
  return found.flatMap((each) => asList(isObject(each) && each.value !== undefined ? each.value : each))
}

const EXACT = /(^|[.:])(id|externalid|\$ref|version|location)$/i

const compare = (operator: Operator, left: Json, right: Json): boolean => {
  if (operator === 'eq') return left === right
  if (typeof left !== 'string' || typeof right !== 'string') return false
  switch (operator) {
    case 'co':
      return left.includes(right)
    case 'sw':
      return left.startsWith(right)
    case 'ew':
      return left.endsWith(right)
    case 'gt':
      return left > right
    case 'ge':
      return left >= right
    case 'lt':
      return left < right
    default:
      return operator === 'le' && left <= right
  }
}

/** Whether a document, or one value of a list, fits. Texts are compared without case, ids exactly. */
export const matches = (filter: Filter, document: JsonObject): boolean => {
  switch (filter.type) {
    case 'and':
      return matches(filter.left, document) && matches(filter.right, document)
    case 'or':
      return matches(filter.left, document) || matches(filter.right, document)
    case 'not':
      return !matches(filter.filter, document)
    case 'where': {
      const found = member(document, filter.path)
      return Array.isArray(found) && found.some((each) => isObject(each) && matches(filter.filter, each))
    }
    case 'compare': {
      const fold = (value: Json) => (typeof value === 'string' && !EXACT.test(filter.path) ? value.toLowerCase() : value)
      const found = valuesAt(document, filter.path).map(fold)
      if (filter.operator === 'pr') return found.length > 0
      const wanted = fold(filter.value)
      if (filter.operator === 'ne') return !found.includes(wanted)
      return found.some((value) => compare(filter.operator, value, wanted))
    }
  }
}
