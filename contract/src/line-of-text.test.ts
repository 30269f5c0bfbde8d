import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Condition } from './conditions.ts'
import { ASKING, messageOf } from './field-message.ts'
import { GuardReason } from './guard-settings.ts'
import { lineOfText, upTo } from './line-of-text.ts'
import { LONGEST_SEARCH, SearchText } from './page.ts'

const EMOJI = '🙂'
const equals = (value: string) => ({ field: 'department', operator: 'equals', value })

describe('the length of a text', () => {
  test.each<[string, z.ZodType, number, (text: string) => unknown]>([
    ['of a search', SearchText, LONGEST_SEARCH, (text) => text],
    ['of a reason', GuardReason, 1000, (text) => text],
    ['that is compared with', Condition, 1000, equals],
    ['of a line', lineOfText({ longest: 60 }), 60, (text) => text],
  ])('%s is counted as its field counts it, an emoji once', (...[, schema, longest, written]) => {
    for (const letter of ['x', EMOJI]) {
      expect(schema.safeParse(written(letter.repeat(longest))).success).toBe(true)
      expect(schema.safeParse(written(letter.repeat(longest + 1))).success).toBe(false)
    }
  })

  test('is counted without the blanks around it where they are not kept, and refused by name', () => {
    const schema = upTo(2, z.string().trim())
    expect(schema.parse(`  ${EMOJI}${EMOJI}  `)).toBe(EMOJI + EMOJI)
    expect(schema.safeParse('xxx', ASKING).error?.issues.map(messageOf)).toEqual(['tooLong'])
  })

  test('stands in the description of the calls', () => {
    expect(z.toJSONSchema(upTo(7).min(1))).toMatchObject({ type: 'string', minLength: 1, maxLength: 7 })
  })
})
