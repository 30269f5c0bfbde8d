import { describe, expect, it } from 'vitest'
import { createSecrets } from './secrets.ts'

const secrets = createSecrets(Buffer.alloc(32, 5))

describe('what is encrypted', () => {
  it('cannot be read with another master key', () => {
    expect(() => createSecrets(Buffer.alloc(32, 6)).decrypt(secrets.encrypt({ token: 'x' }))).toThrow()
  })

  it('cannot be changed unnoticed', () => {
    const sealed = secrets.encrypt('text')
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
    expect(() => secrets.decrypt(sealed)).toThrow()
  })

  it('does not show its value, differs each time, and comes back', () => {
    const value = { token: 'very secret token' }
    const [one, two] = [secrets.encrypt(value), secrets.encrypt(value)]
    expect(one.toString('latin1')).not.toContain('secret')
    expect(one.equals(two)).toBe(false)
    expect(secrets.decrypt(one)).toEqual(value)
  })
})

describe('a signature', () => {
  it('is good for its own text and key only', () => {
    const signature = secrets.sign('text')
    expect(secrets.verify('text', signature)).toBe(true)
    expect(secrets.verify('test', signature)).toBe(false)
    expect(createSecrets(Buffer.alloc(32, 6)).verify('text', signature)).toBe(false)
    expect(secrets.verify('text', '')).toBe(false)
  })

  it('needs a master key of 32 bytes', () => {
    expect(() => createSecrets(Buffer.alloc(16))).toThrow(/32 bytes/)
  })
})
