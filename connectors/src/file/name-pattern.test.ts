import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsPattern } from './name-pattern.ts'

const asExpression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )

describe('a name pattern', () => {
  it('means what the same regular expression means', () => {
    const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 })
    fc.assert(
      fc.property(text('ab.'), text('ab.*?'), (name, pattern) => {
        expect(fitsPattern(name, pattern)).toBe(asExpression(pattern).test(name))
      }),
      { seed: 4, numRuns: 2000 },
    )
  })

  it('is decided at once, however many stars it has', () => {
    expect(fitsPattern('a'.repeat(200), `${'*a'.repeat(60)}b`)).toBe(false)
  })
})
