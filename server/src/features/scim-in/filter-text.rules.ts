import { refuse } from './scim-error.ts'

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const
export type Operator = (typeof OPERATORS)[number]

/** A filter as it was written; paths are not looked up yet. `value` is null with `pr`. */
export type Filter =
  | { readonly type: 'compare'; readonly path: string; readonly operator: Operator; readonly value: string | number | boolean | null }
  | { readonly type: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly type: 'not'; readonly filter: Filter }
  | { readonly type: 'where'; readonly path: string; readonly filter: Filter }

const LONGEST = 20_000
const MOST_TOKENS = 400
const DEEPEST = 20

// a path with a bracket runs on behind it, as in emails[type eq "work"].value
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/sy

const bad = (detail: string) => refuse('invalidFilter', detail)

const tokensOf = (text: string): string[] => {
  if (text.length > LONGEST) throw bad(`The filter is longer than ${LONGEST} characters.`)
  const end = text.trimEnd().length
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < end; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text)?.[1]
    if (token === undefined) throw bad(`The filter cannot be read from character ${at + 1}.`)
    tokens.push(token)
    if (tokens.length > MOST_TOKENS) throw bad(`The filter has more than ${MOST_TOKENS} words.`)
  }
  return tokens
}

const shown = (token: string | undefined) => (token ?? '').slice(0, 100)

const literal = (token: string | undefined): string | number | boolean | null => {
  const word = token?.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  try {
    const value: unknown = JSON.parse(token ?? '')
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
      throw bad('The filter holds a character that is no text.')
    if (value === null || typeof value === 'string' || typeof value === 'number') return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw bad(`"${shown(token)}" is no value; texts stand in double quotes.`)
}

const isOperator = (word: string | undefined): word is Operator => OPERATORS.some((operator) => operator === word)

/** `emails[type eq "work"].value eq "x"`, as Entra ID asks: one value that is of the type and has the value. */
const withPart = (path: string, filter: Filter, compared: Filter): Filter =>
  compared.type === 'compare' && compared.operator === 'ne'
    ? { type: 'not', filter: { type: 'where', path, filter: { type: 'and', left: filter, right: { ...compared, operator: 'eq' } } } }
    : { type: 'where', path, filter: { type: 'and', left: filter, right: compared } }

const createReader = (tokens: readonly string[]) => {
  let at = 0
  let depth = 0
  const peek = () => tokens[at]
  const word = () => tokens[at]?.toLowerCase()
  const next = () => tokens[at++]
  const within = (close: string): Filter => {
    depth += 1
    if (depth > DEEPEST) throw bad(`The filter is nested deeper than ${DEEPEST} levels.`)
    const filter = either()
    if (next() !== close) throw bad(`The filter lacks "${close}".`)
    depth -= 1
    return filter
  }
  const compared = (path: string): Filter => {
    const operator = next()?.toLowerCase()
    if (!isOperator(operator)) throw bad(`"${shown(operator)}" is no operator.`)
    return { type: 'compare', path, operator, value: operator === 'pr' ? null : literal(next()) }
  }
  const term = (): Filter => {
    const first = next()
    if (first === undefined) throw bad('The filter ends too early.')
    if (first.toLowerCase() === 'not' && peek() === '(') {
      at += 1
      return { type: 'not', filter: within(')') }
    }
    if (first === '(') return within(')')
    if (/^["()[\]]/.test(first)) throw bad(`"${shown(first)}" stands where an attribute should.`)
    if (peek() !== '[') return compared(first)
    at += 1
    const filter = within(']')
    const part = /^\.(.+)$/.exec(peek() ?? '')?.[1]
    if (part === undefined) return { type: 'where', path: first, filter }
    at += 1
    return withPart(first, filter, compared(part))
  }
  const chain = (joint: 'and' | 'or', part: () => Filter): Filter => {
    let left = part()
    while (word() === joint) {
      at += 1
      left = { type: joint, left, right: part() }
    }
    return left
  }
  const either = (): Filter => chain('or', () => chain('and', term))
  return { either, rest: peek }
}

/**
 * Reads a filter (RFC 7644 section 3.4.2.2): `not` binds before `and`, `and` before `or`. Throws `invalidFilter`, for one that is too long or too
 * deep as well.
 */
export const parseFilter = (text: string): Filter => {
  const { either, rest } = createReader(tokensOf(text))
  const filter = either()
  if (rest() !== undefined) throw bad(`The filter goes on with "${shown(rest())}" after its end.`)
  return filter
}
