/**
 * What of JSONata an expression may use, decided before it is ever carried out. Names become variables that hold the texts of columns, so that nothing
 * reaches a member of an object; functions are those listed; what cannot be bounded (ranges, wildcards, objects) or gives another answer tomorrow
 * (`$now`, `$random`) is refused. Pure, except that it rewrites the tree it is given.
 */
import words from '../locales/en_GB/expression.json' with { type: 'json' }
import { linearPattern, PatternTooLarge } from './linear-regex.ts'

/** A node of JSONata's tree, as far as it is looked at. */
export interface ExpressionNode {
  type: string
  value?: unknown
  position?: number
  [part: string]: unknown
}

/** Thrown with what is refused: a code of `locales/<language>/expression.json`, and the name concerned. */
export class Refused extends Error {
  readonly position: number
  readonly because: { readonly code: ExpressionCode; readonly params: Readonly<Record<string, string>> }
  constructor(code: ExpressionCode, { position }: ExpressionNode, name?: string) {
    super(words[code].replace('{{name}}', name ?? ''))
    this.position = position ?? 0
    this.because = { code, params: name === undefined ? {} : { name } }
  }
}

export type ExpressionCode = keyof typeof words

/** The functions of JSONata that an expression may call; `string` and `pad` are ours, with bounds. */
const FUNCTIONS = new Set(
  (
    'string pad length substring substringBefore substringAfter uppercase lowercase trim contains split join match replace ' +
    'number abs floor ceil round power sqrt sum max min average boolean not exists count append sort reverse map filter single reduce error assert'
  ).split(' '),
)
/** What a match consists of, the only members that there are. */
const MATCH_PARTS = new Set(['match', 'index', 'groups'])
const REFUSED_PARTS = ['group', 'focus', 'tuple', 'ancestor', 'seekingParent', 'signature'] as const

interface Names {
  /** What a column's name becomes. */
  readonly variableOf: (column: string, node: ExpressionNode) => string
  readonly declared: ReadonlySet<string>
  /** The nodes that were names of columns. */
  readonly columns: Set<ExpressionNode>
}

const isNode = (value: unknown): value is ExpressionNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
const nodes = (value: unknown): ExpressionNode[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])
const nameOf = ({ value }: ExpressionNode): string => String(value)

const partsOf = (node: ExpressionNode): ExpressionNode[] => [
  ...['steps', 'expressions', 'arguments'].flatMap((part) => nodes(node[part])),
  ...['lhs', 'rhs', 'expression', 'condition', 'then', 'else', 'procedure', 'body', 'expr'].flatMap((part) => nodes(node[part])),
  ...['predicate', 'stages'].flatMap((part) => nodes(node[part])),
]

/** The names that an expression gives to values of its own. */
const declaredIn = (node: ExpressionNode): string[] => {
  const own = node.type === 'bind' ? nodes(node['lhs']) : node.type === 'lambda' ? nodes(node['arguments']) : []
  return [...own.map(nameOf), ...partsOf(node).flatMap(declaredIn)]
}

const guardVariable = (node: ExpressionNode, { declared, columns }: Names): void => {
  const name = nameOf(node)
  if (name === '' || name === '$' || columns.has(node)) return
  if (FUNCTIONS.has(name)) {
    if (declared.has(name)) throw new Refused('isFunction', node, name)
    return
  }
  if (!declared.has(name)) throw new Refused('unknownName', node, name)
  // apart from everything that the engine itself keeps by name
  node.value = `own ${name}`
}

const guardPath = (node: ExpressionNode, names: Names): void => {
  for (const [place, step] of nodes(node['steps']).entries()) {
    if (step.type !== 'name') continue
    if (place > 0) {
      if (!MATCH_PARTS.has(nameOf(step))) throw new Refused('noPart', step, nameOf(step))
    } else {
      const variable = names.variableOf(nameOf(step), step)
      step.type = 'variable'
      step.value = variable
      names.columns.add(step)
    }
  }
}

const guardRegex = (node: ExpressionNode): void => {
  try {
    linearPattern(node.value as RegExp)
  } catch (error) {
    if (error instanceof PatternTooLarge) throw new Refused('patternLarge', node)
    throw new Refused('pattern', node, error instanceof Error ? error.message : '')
  }
}

const FREE = new Set(['string', 'number', 'value', 'condition', 'block', 'bind', 'function', 'partial', 'lambda', 'apply', 'filter'])

const isOffered = ({ type, value }: ExpressionNode): boolean => {
  if (type === 'binary') return value !== '..'
  if (type === 'unary') return value === '-' || value === '['
  return FREE.has(type) || (type === 'operator' && value === '?')
}

const guardOne = (node: ExpressionNode, names: Names): void => {
  if (REFUSED_PARTS.some((part) => node[part] !== undefined && node[part] !== false)) throw new Refused('partNotOffered', node)
  if (node.type === 'path') guardPath(node, names)
  else if (node.type === 'variable') guardVariable(node, names)
  else if (node.type === 'regex') guardRegex(node)
  else if (!isOffered(node))
    throw node.value === '..' ? new Refused('rangeNotOffered', node) : new Refused('notOffered', node, String(node.value ?? node.type))
}

const guardAll = (node: ExpressionNode, names: Names, seen: Set<ExpressionNode>): void => {
  // a tree shares a node where it is written once and meant twice
  if (seen.has(node)) return
  seen.add(node)
  // the parts of a match, that their path has looked at
  if (node.type !== 'name') guardOne(node, names)
  for (const part of partsOf(node)) {
    if (part.type === 'name' && node.type !== 'path') throw new Refused('partNotOffered', part)
    guardAll(part, names, seen)
  }
}

/** Refuses what is not offered and turns names into variables: throws `Refused`. */
export const guardExpression = (tree: ExpressionNode, variableOf: Names['variableOf']): void =>
  guardAll(tree, { variableOf, declared: new Set(declaredIn(tree)), columns: new Set() }, new Set())
