/** What can be wrong with a field of a call, as a code that both languages have words for (`locales/<language>/fields.json`). Pure. */
import type { z } from 'zod'
import type words from '../locales/en_GB/fields.json'

export type FieldCode = keyof typeof words

/** A code, with what fills its words where they have placeholders. */
export type FieldMessage = FieldCode | { readonly code: FieldCode; readonly params: Readonly<Record<string, string | number>> }

/** How a schema is to be asked, so that `messageOf` can tell an issue that a schema names itself from one of zod's own. */
export const ASKING = { error: () => '', reportInput: true } as const

type Issue = z.core.$ZodIssue
type Of<Code extends Issue['code']> = Extract<Issue, { code: Code }>

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

const EXPECTED: Partial<Record<string, FieldCode>> = {
  string: 'text',
  number: 'number',
  int: 'wholeNumber',
  boolean: 'yesNo',
  array: 'list',
  object: 'object',
  record: 'object',
  date: 'date',
}

const typeMessage = ({ expected, input }: Of<'invalid_type'>): FieldMessage => {
  if (isEmpty(input)) return expected === 'boolean' || expected === 'array' ? 'select' : 'required'
  return EXPECTED[expected] ?? 'invalid'
}

const FORMATS: Partial<Record<string, FieldCode>> = {
  email: 'email',
  url: 'url',
  uuid: 'id',
  guid: 'id',
  date: 'apiDate',
  datetime: 'instant',
  e164: 'phone',
}

const bigMessage = ({ origin, maximum, inclusive }: Of<'too_big'>): FieldMessage => {
  if (origin === 'string') return 'tooLong'
  if (origin === 'array' || origin === 'set') return 'tooMany'
  return { code: inclusive === false ? 'below' : 'atMost', params: { limit: String(maximum) } }
}

const smallMessage = ({ origin, minimum, inclusive }: Of<'too_small'>): FieldMessage => {
  if (origin === 'string') return Number(minimum) > 1 ? { code: 'tooShort', params: { limit: String(minimum) } } : 'required'
  if (origin === 'array' || origin === 'set') return Number(minimum) > 1 ? { code: 'tooFew', params: { limit: String(minimum) } } : 'select'
  return { code: inclusive === false ? 'above' : 'atLeast', params: { limit: String(minimum) } }
}

/** What an issue says, where the schema was asked with `ASKING`: the code that the schema gives it, else one for its kind. */
export const messageOf = (issue: Issue): FieldMessage => {
  if (issue.message !== '') return issue.message as FieldCode
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue)
    case 'invalid_value':
      return isEmpty(issue.input) ? 'select' : { code: 'oneOf', params: { values: issue.values.map(String).join(', ') } }
    case 'too_big':
      return bigMessage(issue)
    case 'too_small':
      return smallMessage(issue)
    case 'invalid_format':
      return isEmpty(issue.input) ? 'required' : (FORMATS[issue.format] ?? 'format')
    case 'not_multiple_of':
      return { code: 'multipleOf', params: { divisor: String(issue.divisor) } }
    case 'unrecognized_keys':
      return { code: 'unknownKeys', params: { keys: issue.keys.join(', ') } }
    default:
      return 'invalid'
  }
}
