/** Carries out chains of transforms on texts. Pure; no text makes it throw. */
import { type ExpressionResult, type ExpressionStep, expressionEngine } from './expression-engine.ts'
import { cleanText } from './field-values.ts'
import type { ConcatPart, Transform } from './transforms.ts'

/** The text a step has made, or the code of what is wrong with it. */
export type Transformed = ExpressionResult | { readonly wrong: 'characters' | 'tooLong' | 'notInTable' }

/** A compiled chain: from the clean text of the field's own cell, and all cells of its record, to what the field is to read. */
export type Chain = (text: string, cells: readonly string[]) => Transformed

/** Beyond this no field takes a text, so no later step needs to see it; in UTF-16 units. */
const LONGEST = 20_000

const CHARACTERS = { wrong: 'characters' } as const
const TOO_LONG = { wrong: 'tooLong' } as const
const NOT_IN_TABLE = { wrong: 'notInTable' } as const

const WHITE = /\s+/g
const tidy: Chain = (text) => text.replace(WHITE, ' ').trim()

// a word begins after anything but letters, marks and digits; an apostrophe begins one only where two letters follow: O'Brien, but it's
const WORD = /(?<![\p{L}\p{M}\p{N}'’])\p{L}|(?<=['’])\p{L}(?=\p{L})/gu
const capital = (letter: string): string => {
  const [first = '', ...rest] = letter.toUpperCase()
  return first + rest.join('').toLowerCase()
}

const CASE = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) => text.toLowerCase().replace(WORD, capital),
} as const satisfies Record<string, Chain>

const split = ({ separator, part, end, rest }: Extract<Transform, { kind: 'split' }>): Chain => {
  const at = separator.trim() === '' ? WHITE : separator
  return (text) => {
    const parts = text.split(at)
    if (part > parts.length) return ''
    const place = end === 'start' ? part - 1 : parts.length - part
    if (!rest) return (parts[place] ?? '').trim()
    return (end === 'start' ? parts.slice(place) : parts.slice(0, place + 1)).join(separator).trim()
  }
}

type Piece = (text: string, cells: readonly string[]) => string | undefined

const pieceOf = (part: ConcatPart, placeOf: (column: string) => number): Piece => {
  if (part.from === 'value') return (text) => text
  if (part.from === 'text') return () => part.text
  const place = placeOf(part.column)
  return (_, cells) => cleanText(cells[place] ?? '')
}

const concat = ({ parts, separator }: Extract<Transform, { kind: 'concat' }>, placeOf: (column: string) => number): Chain => {
  const pieces = parts.map((part) => ({ read: pieceOf(part, placeOf), own: part.from === 'text' }))
  const onlyTexts = pieces.every(({ own }) => own)
  return (text, cells) => {
    const filled: string[] = []
    let says = onlyTexts
    for (const { read, own } of pieces) {
      const piece = read(text, cells)
      if (piece === undefined) return CHARACTERS
      if (piece === '') continue
      filled.push(piece)
      if (!own) says = true
    }
    return says ? filled.join(separator) : ''
  }
}

const folded = (text: string): string => text.toLowerCase()

const lookup = ({ values, others, ignoreCase }: Extract<Transform, { kind: 'lookup' }>): Chain => {
  const table = new Map(Object.entries(values))
  // the first of two that differ in case only counts; one that is written exactly so comes before either
  const anyCase = new Map(
    ignoreCase
      ? Object.entries(values)
          .map(([from, to]): [string, string] => [folded(from), to])
          .reverse()
      : [],
  )
  return (text) => {
    const found = table.get(text) ?? (ignoreCase ? anyCase.get(folded(text)) : undefined)
    if (found !== undefined) return found
    if (text === '' || others === 'keep') return text
    return others === 'empty' ? '' : NOT_IN_TABLE
  }
}

const expression = (step: ExpressionStep, placeOf: (column: string) => number): Chain => {
  const run = expressionEngine().compile(step)
  const places = step.columns.map(placeOf)
  return (text, cells) => {
    const columns: string[] = []
    for (const place of places) {
      const cell = cleanText(cells[place] ?? '')
      if (cell === undefined) return CHARACTERS
      columns.push(cell)
    }
    return run(text, columns)
  }
}

const stepOf = (transform: Transform, placeOf: (column: string) => number): Chain => {
  switch (transform.kind) {
    case 'trim':
      return tidy
    case 'case':
      return CASE[transform.to]
    case 'split':
      return split(transform)
    case 'concat':
      return concat(transform, placeOf)
    case 'lookup':
      return lookup(transform)
    case 'replace':
      return (text) => text.replaceAll(transform.find, () => transform.with)
    case 'default':
      return (text) => (text === '' ? transform.text : text)
    case 'constant':
      return () => transform.text
    case 'expression':
      return expression(transform, placeOf)
  }
}

/**
 * Compiles a chain once, to be used for every record.
 *
 * @param placeOf the place of a column in a record's cells; one that is not there reads as an empty cell
 */
export const compileChain = (transforms: readonly Transform[], placeOf: (column: string) => number): Chain => {
  const steps = transforms.map((transform) => stepOf(transform, placeOf))
  return (text, cells) => {
    let now = text
    for (const step of steps) {
      const next = step(now, cells)
      if (typeof next !== 'string') return next
      if (next.length > LONGEST) return TOO_LONG
      now = next
    }
    return now
  }
}
