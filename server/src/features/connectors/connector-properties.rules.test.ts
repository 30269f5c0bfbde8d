import { type Definition, IN_A_HEADER } from '@instep/connectors/kit/definition.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Settings, settleProperties } from './connector-properties.rules.ts'

const definition: Definition = {
  id: 'test',
  name: 'Test',
  kind: 'target',
  description: '',
  ingestionType: 'target',
  propertiesSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['baseUrl', 'token'],
    properties: {
      baseUrl: { type: 'string', format: 'uri', title: 'Address', minLength: 1 },
      token: { type: 'string', title: 'Token', secret: true, minLength: 1, pattern: IN_A_HEADER },
      second: { type: 'string', title: 'Second', secret: true },
      method: { type: 'string', title: 'Method', enum: ['PATCH', 'PUT'], default: 'PATCH' },
      rate: { type: 'integer', title: 'Rate', minimum: 1, maximum: 100 },
      http: { type: 'boolean', title: 'HTTP', default: false },
    },
  },
  supportedFields: [],
  supportedOperations: [],
}

const none: Settings = { properties: {}, secrets: {} }
const whole: Settings = { properties: { baseUrl: 'https://a.example/scim', rate: 5 }, secrets: { token: 's3cret', second: 'two' } }
type Given = Parameters<typeof settleProperties>[2]

describe('properties that are refused', () => {
  it.each<[string, Settings, Given, string[]]>([
    ['what is required and missing', none, {}, ['properties.baseUrl', 'properties.token']],
    ['what is required and cleared', whole, { token: null }, ['properties.token']],
    ['what the definition does not name', whole, { colour: 'red', size: 3 }, ['properties.colour', 'properties.size']],
    ['a name every object has', whole, { constructor: 'x', __proto__: 'y' }, ['properties.constructor']],
    ['an address that is none', whole, { baseUrl: 'nowhere', token: 't' }, ['properties.baseUrl']],
    ['an address that runs something', whole, { baseUrl: 'javascript:alert(1)', token: 't' }, ['properties.baseUrl']],
    ['an empty secret', whole, { token: ' \n ' }, ['properties.token']],
    ['a token that no header holds', whole, { token: 'with a blank' }, ['properties.token']],
    ['a token with an accent', whole, { token: 's3crét' }, ['properties.token']],
    ['a value outside the list', whole, { method: 'POST' }, ['properties.method']],
    ['a number outside its bounds', whole, { rate: 101 }, ['properties.rate']],
    ['a fraction', whole, { rate: 1.5 }, ['properties.rate']],
    ['a text for a yes or no', whole, { http: 'true' }, ['properties.http']],
    ['U+0000', whole, { second: 'a\0b' }, ['properties.second']],
    ['another server without its secret', whole, { baseUrl: 'https://b.example/scim' }, ['properties.token']],
  ])('%s', (...[, stored, given, fields]) => {
    const settled = settleProperties(definition, stored, given)
    expect('invalid' in settled && Object.keys(settled.invalid).sort()).toEqual(fields)
  })
})

describe('the address of a directory', () => {
  const directory: Definition = {
    ...definition,
    propertiesSchema: {
      ...definition.propertiesSchema,
      required: ['server', 'token'],
      properties: { ...definition.propertiesSchema.properties, server: { type: 'string', format: 'ldap-uri', title: 'Server' } },
    },
  }
  const stored: Settings = { properties: { server: 'ldaps://a.example' }, secrets: { token: 's3cret' } }

  it('is an LDAP one', () => {
    expect(settleProperties(directory, none, { server: 'https://a.example', token: 't' })).toHaveProperty('invalid')
    expect(settleProperties(directory, none, { server: 'ldap://a.example:3268', token: 't' })).toHaveProperty('settings')
  })

  it.each(['ldaps://b.example', 'ldap://a.example', 'ldaps://a.example:3269'])('asks for the secret again when it becomes %s', (server) => {
    expect(settleProperties(directory, stored, { server })).toEqual({ invalid: { 'properties.token': expect.anything() } })
  })
})

describe('properties that are taken', () => {
  it.each<[string, Settings, Given, Settings, string[]]>([
    ['nothing given changes nothing', whole, {}, whole, []],
    ['the same again changes nothing', whole, { token: 's3cret', rate: 5, 'ingestion-type': 'target' }, whole, []],
    [
      'null clears, the rest stays',
      whole,
      { rate: null, second: null },
      { properties: { baseUrl: 'https://a.example/scim' }, secrets: { token: 's3cret' } },
      ['rate', 'second'],
    ],
    [
      'texts are trimmed, line breaks go',
      whole,
      { token: ' new\r\n' },
      { ...whole, secrets: { ...whole.secrets, token: 'new' } },
      ['token'],
    ],
    [
      'another path of the same server keeps its secret',
      whole,
      { baseUrl: 'https://a.example/v2' },
      { ...whole, properties: { ...whole.properties, baseUrl: 'https://a.example/v2' } },
      ['baseUrl'],
    ],
    [
      'another server drops what was not given for it',
      whole,
      { baseUrl: 'https://b.example', token: 'b' },
      { properties: { baseUrl: 'https://b.example', rate: 5 }, secrets: { token: 'b' } },
      ['baseUrl', 'token', 'second'],
    ],
    [
      'a first time',
      none,
      { baseUrl: 'https://a.example', token: 't' },
      { properties: { baseUrl: 'https://a.example' }, secrets: { token: 't' } },
      ['baseUrl', 'token'],
    ],
  ])('%s', (...[, stored, given, settings, changed]) => {
    expect(settleProperties(definition, stored, given)).toEqual({ settings, changed })
  })

  it('never put a secret among what may be shown', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    const given = fc.dictionary(fc.constantFrom('baseUrl', 'token', 'second', 'method', 'rate', 'http', 'other'), value)
    fc.assert(
      fc.property(given, (changes) => {
        const settled = settleProperties(definition, whole, changes)
        if ('invalid' in settled) return
        expect(Object.keys(settled.settings.properties)).not.toContain('token')
        expect(Object.keys(settled.settings.properties)).not.toContain('second')
      }),
      { seed: 5, numRuns: 300 },
    )
  })
})
