import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecrets } from '../crypto/secrets.ts'
import { createContinuation } from './continuation.ts'

const continuation = createContinuation(createSecrets(Buffer.alloc(32, 3)))
const scope = ['users', 'tenant one', { status: 'all' }]

describe('a continuation token', () => {
  it.each([
    ['of another query', continuation.encode(['users', 'tenant one', { status: 'claimed' }], ['a', 'b'])],
    ['of another tenant', continuation.encode(['users', 'tenant two', { status: 'all' }], ['a', 'b'])],
    ['of another installation', createContinuation(createSecrets(Buffer.alloc(32, 4))).encode(scope, ['a', 'b'])],
    ['with a changed key', continuation.encode(scope, ['a', 'b']).replace(/^../, 'xx')],
    ['that is nothing', ''],
    ['that is anything', 'a.b.c'],
  ])('%s is refused', (_, token) => {
    expect(() => continuation.decode(scope, token)).toThrow(expect.objectContaining({ code: 'TOKEN_FOREIGN' }))
  })

  it('gives back any key it was made from, also after a restart', () => {
    const later = createContinuation(createSecrets(Buffer.alloc(32, 3)))
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null)), { maxLength: 4 }), (key) => {
        expect(later.decode(scope, continuation.encode(scope, key))).toEqual(key)
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})
