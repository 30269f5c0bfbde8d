import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import english from '../locales/en_GB/fields.json' with { type: 'json' }
import french from '../locales/fr_FR/fields.json' with { type: 'json' }
import { ENDPOINTS } from './endpoints.ts'
import { ASKING, type FieldMessage, messageOf } from './field-message.ts'

const messagesOf = (schema: z.ZodType, value: unknown): FieldMessage[] => {
  const result = schema.safeParse(value, ASKING)
  return result.success ? [] : result.error.issues.map(messageOf)
}
const limit = (code: string, of: number | string) => ({ code, params: { limit: String(of) } })

describe('what is wrong with a value', () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ['nothing', z.string(), undefined, 'required'],
    ['null', z.number(), null, 'required'],
    ['no switch', z.boolean(), undefined, 'select'],
    ['no list', z.array(z.string()), undefined, 'select'],
    ['a figure for a text', z.string(), 7, 'text'],
    ['a text for a figure', z.number(), 'x', 'number'],
    ['half for a whole', z.int(), 0.5, 'wholeNumber'],
    ['a text for a switch', z.boolean(), 'yes', 'yesNo'],
    ['a text for a list', z.array(z.string()), 'x', 'list'],
    ['a text for an object', z.object({}), 'x', 'object'],
    ['a text for a record', z.record(z.string(), z.string()), 'x', 'object'],
    ['a text for a date', z.date(), 'x', 'date'],
    ['a text for what is never', z.never(), 'x', 'invalid'],
    ['none of a choice', z.enum(['a', 'b']), 'c', { code: 'oneOf', params: { values: 'a, b' } }],
    ['no choice', z.enum(['a', 'b']), undefined, 'select'],
    ['an empty choice', z.enum(['a', 'b']), '', 'select'],
    ['another literal', z.literal(7), 8, { code: 'oneOf', params: { values: '7' } }],
    ['an empty text', z.string().min(1), '', 'required'],
    ['a short text', z.string().min(3), 'x', limit('tooShort', 3)],
    ['a long text', z.string().max(1), 'xx', 'tooLong'],
    ['an empty list', z.array(z.string()).min(1), [], 'select'],
    ['a short list', z.array(z.string()).min(2), ['x'], limit('tooFew', 2)],
    ['a long list', z.array(z.string()).max(1), ['x', 'y'], 'tooMany'],
    ['a small figure', z.number().min(1), 0, limit('atLeast', 1)],
    ['a large figure', z.number().max(1), 2, limit('atMost', 1)],
    ['the figure itself', z.number().gt(1), 1, limit('above', 1)],
    ['the other figure itself', z.number().lt(1), 1, limit('below', 1)],
    ['no step', z.number().multipleOf(5), 7, { code: 'multipleOf', params: { divisor: '5' } }],
    ['no address', z.email(), 'x', 'email'],
    ['no web address', z.url(), 'x', 'url'],
    ['no id', z.uuid(), 'x', 'id'],
    ['no day', z.iso.date(), '31/01/2026', 'apiDate'],
    ['no instant', z.iso.datetime(), 'soon', 'instant'],
    ['another form', z.string().regex(/^a/), 'b', 'format'],
    ['an empty form', z.string().regex(/^a/), '', 'required'],
    ['an unknown key', z.strictObject({}), { x: 1, y: 2 }, { code: 'unknownKeys', params: { keys: 'x, y' } }],
    ['a key of a record', z.record(z.string().max(1), z.string()), { xx: 'x' }, 'invalid'],
    ['none of a union', z.union([z.string(), z.number()]), true, 'invalid'],
    ['what a check refuses', z.string().refine(() => false), 'x', 'invalid'],
    ['what a schema names', z.string().max(1, 'enterName'), 'xx', 'enterName'],
  ])('%s is said by its kind', (...[, schema, value, message]) => {
    expect(messagesOf(schema, value)).toEqual([message])
  })

  it('has words in both languages, whatever is sent to whichever call', () => {
    const junk = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, undefined, '', 'x', 'x'.repeat(30_000), 0, -1, 0.5, 1e12, true, '2026-13-01', 'Europe/Atlantis', '9 %'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string({ maxLength: 5 }), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    const bodies = ENDPOINTS.filter(({ bodyKind }) => bodyKind === 'json')
    const shapeOf = (schema: z.ZodType): string[] => ('shape' in schema ? Object.keys(schema.shape as object) : [])
    const seen = new Set<string>()
    const known = ({ body, query }: (typeof ENDPOINTS)[number], value: unknown) => {
      for (const schema of [body, query])
        for (const message of messagesOf(schema, value)) {
          const code = typeof message === 'string' ? message : message.code
          seen.add(code)
          expect(english).toHaveProperty(code)
          expect(french).toHaveProperty(code)
        }
    }
    for (const endpoint of bodies) {
      const named = fc.record(Object.fromEntries(shapeOf(endpoint.body).map((key) => [key, junk])), { requiredKeys: [] })
      fc.assert(
        fc.property(fc.oneof(named, junk), (value) => known(endpoint, value)),
        { seed: 7, numRuns: 150 },
      )
    }
    for (const code of ['required', 'text', 'object', 'list', 'oneOf', 'tooLong', 'apiDate']) expect(seen).toContain(code)
  })
})
