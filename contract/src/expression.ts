/**
 * Carries out JSONata expressions over the texts of one record, the same on the server and in a browser. Nothing outside the record can be reached, no
 * expression runs for long or grows large: both are counted, not timed, so that a record that passes once passes always.
 */
import jsonata from 'jsonata'
import words from '../locales/en_GB/expression.json' with { type: 'json' }
import type {
  ExpressionEngine,
  ExpressionFault,
  ExpressionReason,
  ExpressionResult,
  ExpressionStep,
  RunExpression,
} from './expression-engine.ts'
import { type ExpressionCode, type ExpressionNode, guardExpression, Refused } from './expression-guard.ts'
import { LinearRegex } from './linear-regex.ts'

/** Parts of an expression carried out for one record. */
const MOST_STEPS = 1000
const DEEPEST = 60
/** Characters and members of any value on the way. */
const LARGEST = 2000

/** Thrown where an expression is stopped, or asks one of our own functions for what it does not do. */
class Stopped extends Error {
  readonly because: { readonly code: ExpressionCode; readonly params: Readonly<Record<string, string>> }
  constructor(code: ExpressionCode) {
    super(words[code])
    this.because = { code, params: {} }
  }
}
class Limit extends Stopped {}

const weigh = (value: unknown, room: number): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  const members: unknown[] = Array.isArray(value) ? value : [Reflect.get(value, 'match'), Reflect.get(value, 'groups')]
  let weight = 1
  for (const member of members) {
    weight += 1 + weigh(member, room - weight)
    if (weight > room) return weight
  }
  return weight
}

interface Meter {
  readonly start: () => void
  readonly enter: () => void
  readonly leave: (value: unknown) => void
}

const createMeter = (): Meter => {
  let steps = 0
  let depth = 0
  return {
    start: () => {
      steps = 0
      depth = 0
    },
    enter: () => {
      steps += 1
      depth += 1
      if (steps > MOST_STEPS) throw new Limit('steps')
      if (depth > DEEPEST) throw new Limit('deep')
    },
    leave: (value) => {
      depth -= 1
      const weight = weigh(value, LARGEST)
      if (weight > LARGEST) throw new Limit('long')
      steps += weight >> 5
    },
  }
}

/** Digits that a number is sure of, so that 0.1 + 0.2 is 0.3. */
const DIGITS = 15
const numberText = (value: number): string => String(Number(value.toPrecision(DIGITS)))

/** What a single value is as text; undefined where it is none (a list, a function). */
const textOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean') return String(value)
  return Array.isArray(value) && value.length === 1 ? textOf(value[0]) : undefined
}

const ownString = (value: unknown): string => {
  const text = textOf(value)
  if (text === undefined) throw new Stopped('stringTakesOne')
  return text
}

const ownPad = (text: string, width: number, filler: string | undefined): string => {
  if (Math.abs(width) > LARGEST) throw new Limit('long')
  return width < 0 ? text.padStart(-width, filler || ' ') : text.padEnd(width, filler || ' ')
}

type Parse = (text: string, options: { RegexEngine: typeof LinearRegex }) => jsonata.Expression
const parse = (text: string): jsonata.Expression => (jsonata as unknown as Parse)(text, { RegexEngine: LinearRegex })
const treeOf = (expression: jsonata.Expression): ExpressionNode => expression.ast() as unknown as ExpressionNode

const variable = (place: number): string => `column ${place}`

interface Prepared {
  readonly expression: jsonata.Expression
  readonly meter: Meter
}

const prepare = ({ text, columns }: ExpressionStep): Prepared => {
  const expression = parse(text)
  const places = new Map(columns.map((column, place) => [column, place]))
  guardExpression(treeOf(expression), (column, node) => {
    const place = places.get(column)
    if (place === undefined) throw new Refused('notGiven', node, column)
    return variable(place)
  })
  const meter = createMeter()
  expression.assign('__evaluate_entry', meter.enter)
  expression.assign('__evaluate_exit', (...[, , , value]: unknown[]) => meter.leave(value))
  expression.registerFunction('string', ownString, '<x-:s>')
  expression.registerFunction('pad', ownPad, '<s-ns?:s>')
  return { expression, meter }
}

const LONGEST_DETAIL = 200
const shown = (text: string): string => text.slice(0, LONGEST_DETAIL).toWellFormed()

/** What JSONata says of an error, by its own names; `value` is the text of the cell wherever a reason is shown. */
const PARAMS = { token: 'token', value: 'given', value2: 'given2', index: 'index', type: 'type', exp: 'exp' } as const

const isCode = (code: unknown): code is ExpressionCode => typeof code === 'string' && Object.hasOwn(words, code)

const paramsOf = (error: object): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(PARAMS).flatMap(([own, name]) => {
      const value: unknown = Reflect.get(error, own)
      if (value === undefined) return []
      return [[name, typeof value === 'number' ? value : shown(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))]]
    }),
  )

const reasonOf = (thrown: unknown): ExpressionReason => {
  const error = typeof thrown === 'object' && thrown !== null ? thrown : {}
  const { message, code } = error as { message?: unknown; code?: unknown }
  const detail = shown(typeof message === 'string' && message !== '' ? message : 'It cannot be carried out.')
  if (error instanceof Refused || error instanceof Stopped) return { detail, because: error.because }
  // the machine's own limit
  if (error instanceof RangeError) return { detail: words.deep, because: { code: 'deep', params: {} } }
  return isCode(code) ? { detail, because: { code, params: paramsOf(error) } } : { detail }
}

const faultOf = (error: unknown): ExpressionFault => {
  const { position } = (typeof error === 'object' && error !== null ? error : {}) as { position?: unknown }
  return { position: typeof position === 'number' ? position : 0, ...reasonOf(error) }
}

const refusalOf = (error: unknown): ExpressionResult => ({
  wrong: error instanceof Limit || error instanceof RangeError ? 'expressionLimit' : 'expression',
  ...reasonOf(error),
})

const NO_TEXT: ExpressionResult = { wrong: 'expression', detail: words.noText, because: { code: 'noText', params: {} } }

const runnerOf = ({ expression, meter }: Prepared): RunExpression => {
  return (text, columns) => {
    meter.start()
    try {
      const bindings = Object.fromEntries(columns.map((cell, place) => [variable(place), cell]))
      return textOf(expression.evaluate(text, bindings)) ?? NO_TEXT
    } catch (error) {
      return refusalOf(error)
    }
  }
}

// one step is asked for again and again while it is edited; whoever changes a step makes a new one
const runners = new WeakMap<ExpressionStep, RunExpression>()

const compile = (step: ExpressionStep): RunExpression => {
  const known = runners.get(step)
  if (known) return known
  let run: RunExpression
  try {
    run = runnerOf(prepare(step))
  } catch (error) {
    const refusal: ExpressionResult = { wrong: 'expression', ...reasonOf(error) }
    run = () => refusal
  }
  runners.set(step, run)
  return run
}

const check = (step: ExpressionStep): ExpressionFault | undefined => {
  try {
    prepare(step)
    return undefined
  } catch (error) {
    return faultOf(error)
  }
}

const columnsIn = (text: string, header: readonly string[]): string[] => {
  const known = new Set(header)
  const named = new Set<string>()
  try {
    guardExpression(treeOf(parse(text)), (column) => {
      if (known.has(column)) named.add(column)
      return variable(0)
    })
  } catch {
    // what was named before the fault counts; the fault itself is told by `check`
  }
  return [...named]
}

/** JSONata, bounded. */
export const jsonataEngine: ExpressionEngine = { compile, check, columnsIn }
