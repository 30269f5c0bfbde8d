/**
 * Where a chain finds what carries out expressions. The engine is heavy and most mappings have none, so that whoever reads a mapping brings it: the
 * server at once, a browser when an expression is shown.
 */
import type { Transform } from './transforms.ts'

export type ExpressionStep = Extract<Transform, { kind: 'expression' }>

/**
 * Why an expression cannot be used or made nothing: a sentence in English and, unless the expression said it itself (`$error`), its code and what fills
 * it in `locales/<language>/expression.json`.
 */
export interface ExpressionReason {
  readonly detail: string
  readonly because?: { readonly code: string; readonly params: Readonly<Record<string, string | number>> }
}

/** What an expression made of a record: a text, or why it made none. */
export type ExpressionResult = string | ({ readonly wrong: 'expression' | 'expressionLimit' } & ExpressionReason)

/** A compiled expression: the text so far, and the clean texts of its columns in the order in which the step names them. */
export type RunExpression = (text: string, columns: readonly string[]) => ExpressionResult

/** What keeps an expression from being used, and where it stands, from 0, in UTF-16 units. */
export interface ExpressionFault extends ExpressionReason {
  readonly position: number
}

export interface ExpressionEngine {
  /** Never throws: a faulty expression answers its fault for every record. */
  readonly compile: (step: ExpressionStep) => RunExpression
  readonly check: (step: ExpressionStep) => ExpressionFault | undefined
  /** The columns of a header that an expression names, in the order of their first mention; those it names that the header lacks are left out. */
  readonly columnsIn: (text: string, header: readonly string[]) => string[]
}

const held: { engine?: ExpressionEngine } = {}

/** Brings the engine; from then on chains can be compiled that hold expressions. */
export const provideExpressions = (engine: ExpressionEngine): void => {
  held.engine = engine
}

const ABSENT: ExpressionResult = {
  wrong: 'expression',
  detail: 'Expressions are not ready yet.',
  because: { code: 'notReady', params: {} },
}

/** The engine in use; before one was brought, every expression is refused. */
export const expressionEngine = (): ExpressionEngine =>
  held.engine ?? { compile: () => () => ABSENT, check: () => undefined, columnsIn: () => [] }
