import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecretHider, createTokenHider, withoutSecrets } from './hide-secrets.ts'
import { ConnectorError } from './problem.ts'

const escaped = (text: string): string =>
  [...text].map((each) => (/[\w.~-]/.test(each) ? each : [...each].flatMap(unitsOf).join(''))).join('')
const unitsOf = (character: string): string[] =>
  Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
const inForm = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

const WAYS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'in JSON within JSON': (secret) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  'in JSON, everything escaped': escaped,
  'in JSON, in capitals': (secret) => escaped(secret).replaceAll(/\\u([\da-f]{4})/g, (_, hex: string) => `\\u${hex.toUpperCase()}`),
  'in an address': encodeURIComponent,
  'in a form': inForm,
}

describe('a secret that a system repeats', () => {
  it.each(Object.entries(WAYS))('is hidden %s', (_name, write) => {
    for (const secret of ['p', 'a"b\\c/d', 'pässwörd €𝄞', 'x+y=z&w<v>', 'two words\nand\ta line', 'abc.def-ghi_jkl'])
      expect(createSecretHider([secret])(`before ${write(secret)} after`)).not.toContain(write(secret))
  })

  it('is hidden whatever it is', () => {
    const secrets = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
    const ways = fc.constantFrom(...Object.values(WAYS))
    fc.assert(
      fc.property(secrets, ways, (secret, write) => {
        expect(createSecretHider([secret])(`<${write(secret)}>`)).toMatch(/^(<|\*+).*\*\*\*.*(>|\*+)$/s)
      }),
      { seed: 4, numRuns: 100 },
    )
  })

  it('is hidden as the longest of several, and an empty one hides nothing', () => {
    expect(createSecretHider(['secret', 'secret-and-more', ''])('secret-and-more, secret')).toBe('***, ***')
    expect(createSecretHider([''])('nothing')).toBe('nothing')
  })

  it('may change from time to time', () => {
    const hide = createTokenHider(['stays'])
    expect(hide(undefined)('stays, first')).toBe('***, first')
    expect(hide('first')('stays, first')).toBe('***, ***')
    expect(hide('second')('stays, first, second')).toBe('***, first, ***')
  })

  it('leaves an error that does not hold it as it is', () => {
    const cause = new Error('why')
    const error = new ConnectorError({ code: 'TARGET_REFUSED', params: { status: 400, message: 'too long' }, detail: 'x', cause })
    expect(withoutSecrets(error, createSecretHider(['secret']))).toBe(error)
    const telling = new ConnectorError({ code: 'TARGET_THROTTLED', params: { message: 'secret' }, retryable: true, retryAfterSeconds: 7 })
    expect(withoutSecrets(telling, createSecretHider(['secret']))).toMatchObject({
      code: 'TARGET_THROTTLED',
      params: { message: '***' },
      retryable: true,
      retryAfterSeconds: 7,
    })
  })
})
