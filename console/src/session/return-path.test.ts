import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { returnPath } from './return-path.ts'

describe('the way back', () => {
  const origin = 'https://console.example'
  it.each([
    ['/users?a=1#b', '/users?a=1#b'],
    ['https://console.example/runs', '/runs'],
    ['', '/'],
    ['https://evil.example/users', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/auth/logout', '/'],
    ['http://', '/'],
  ])('from %s is %s', (wanted, path) => {
    expect(returnPath(wanted, origin)).toBe(path)
  })

  it('never leaves the origin', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `/${text}`),
        ),
        (wanted) => {
          expect(new URL(returnPath(wanted, origin), origin).origin).toBe(origin)
        },
      ),
      { seed: 3, numRuns: 500 },
    )
  })
})
