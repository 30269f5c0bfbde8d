/**
 * Carries out JSONata expressions over the texts of one record, the same on the server and in a browser. Nothing outside the record can be reached, no
 * expression runs for long or grows large: both are counted, not timed, so that a record that passes once passes always.
 */
import jsonata from 'jsonata'
import type { ExpressionEngine, ExpressionFault, ExpressionResult, ExpressionStep, RunExpression } from './expression-engine.ts'
import { type ExpressionNode, guardExpression, Refused } from './expression-guard.ts'
import { LinearRegex } from './linear-regex.ts'

/** Parts of an expression carried out for one record. */
const MOST_STEPS = 1000
const DEEPEST = 60
/** Characters and members of any value on the way. */
const LARGEST = 2000

class Limit extends Error {}

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
      if (steps > MOST_STEPS) throw new Limit('It takes too many steps.')
      if (depth > DEEPEST) throw new Limit('It is nested too deeply, or calls itself without end.')
    },
    leave: (value) => {
      depth -= 1
      const weight = weigh(value, LARGEST)
      if (weight > LARGEST) throw new Limit('A value in it grows too long.')
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
  if (text === undefined) throw new Error('$string takes a single value.')
  return text
}

const ownPad = (text: string, width: number, filler: string | undefined): string => {
  if (Math.abs(width) > LARGEST) throw new Limit('A value in it grows too long.')
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
    if (place === undefined) throw new Refused(`“${column}” is not a column that the expression is given.`, node)
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
const detailOf = (error: unknown): string => {
  const { message } = (typeof error === 'object' && error !== null ? error : {}) as { message?: unknown }
  return (typeof message === 'string' && message !== '' ? message : 'It cannot be carried out.').slice(0, LONGEST_DETAIL).toWellFormed()
}

const faultOf = (error: unknown): ExpressionFault => {
  const { position } = (typeof error === 'object' && error !== null ? error : {}) as { position?: unknown }
  return { position: typeof position === 'number' ? position : 0, detail: detailOf(error) }
}

const refusalOf = (error: unknown): ExpressionResult => ({
  wrong: error instanceof Limit || error instanceof RangeError ? 'expressionLimit' : 'expression',
  detail: detailOf(error),
})

const NO_TEXT: ExpressionResult = { wrong: 'expression', detail: 'It gives a list or a function, not a single value.' }

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
    const refusal: ExpressionResult = { wrong: 'expression', detail: detailOf(error) }
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
