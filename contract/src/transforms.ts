/** What may be done to the text of a cell before its field reads it (decisions.md section 3), as it is stored and sent. */
import { z } from 'zod'
import { upTo } from './line-of-text.ts'

/** Text that a database and a screen can take. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
const text = (longest: number, shortest = 0) => upTo(longest).min(shortest).refine(isText)

const LONGEST_TEXT = 300
/** Characters of an expression. */
export const LONGEST_EXPRESSION = 2000
const MOST_STEPS = 20
const MOST_VALUES = 5000
const Column = upTo(LONGEST_TEXT).min(1)

export const CASES = ['upper', 'lower', 'title'] as const
/** What a lookup does with a value that is not in its table. */
export const OTHERS = ['keep', 'empty', 'invalid'] as const
export const SPLIT_ENDS = ['start', 'end'] as const

/** A piece of a joined text: what the chain has made so far, another column, or a text of its own. */
export const ConcatPart = z.discriminatedUnion('from', [
  z.object({ from: z.literal('value') }),
  z.object({ from: z.literal('column'), column: Column }),
  z.object({ from: z.literal('text'), text: text(LONGEST_TEXT, 1) }),
])
export type ConcatPart = z.infer<typeof ConcatPart>

/**
 * One step of a chain. `split` counts its parts from 1 at either end; `rest` takes everything beyond that part too. A separator of spaces splits at
 * any run of white space. `concat` leaves out parts that are empty, and is empty when all but its texts are. `lookup` compares the whole text,
 * regardless of case where `ignoreCase` says so. `expression` is JSONata over the text so far (`$`) and the columns that it is given by name.
 */
export const Transform = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('trim') }),
  z.object({ kind: z.literal('case'), to: z.enum(CASES) }),
  z.object({
    kind: z.literal('split'),
    separator: text(20, 1),
    part: z.number().int().min(1).max(100),
    end: z.enum(SPLIT_ENDS),
    rest: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('concat'), parts: z.array(ConcatPart).min(1).max(20), separator: text(20) }),
  z.object({
    kind: z.literal('lookup'),
    values: z.record(upTo(LONGEST_TEXT), text(1000)).refine((values) => Object.keys(values).length <= MOST_VALUES),
    others: z.enum(OTHERS),
    ignoreCase: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('replace'), find: text(LONGEST_TEXT, 1), with: text(LONGEST_TEXT) }),
  z.object({ kind: z.literal('default'), text: text(LONGEST_TEXT, 1) }),
  z.object({ kind: z.literal('constant'), text: text(LONGEST_TEXT, 1) }),
  z.object({ kind: z.literal('expression'), text: text(LONGEST_EXPRESSION, 1), columns: z.array(Column).max(50) }),
])
export type Transform = z.infer<typeof Transform>

/** The chain of one field, carried out in this order. */
export const Transforms = z.array(Transform).max(MOST_STEPS)

/**
 * What an empty result says: that there is none (`clear`, unless said otherwise), nothing at all (`keep`), or the given text. A field that a person
 * cannot be without is never kept: an empty one is refused.
 */
export const WhenEmpty = z.discriminatedUnion('policy', [
  z.object({ policy: z.literal('clear') }),
  z.object({ policy: z.literal('keep') }),
  z.object({ policy: z.literal('default'), text: text(LONGEST_TEXT, 1) }),
])
export type WhenEmpty = z.infer<typeof WhenEmpty>
