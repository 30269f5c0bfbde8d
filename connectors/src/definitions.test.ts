import { ConnectorDefinition } from '@instep/contract/connectors.ts'
import { describe, expect, it } from 'vitest'
import { DEFINITIONS, definitionOf } from './definitions.ts'
import { secretProperties } from './kit/definition.ts'

describe('connector definitions', () => {
  it.each(DEFINITIONS.map((definition) => [definition.id, definition] as const))('%s has the shape of the contract', (_id, definition) => {
    expect(ConnectorDefinition.parse(definition)).toEqual(definition)
    const { required, properties } = definition.propertiesSchema
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...required]))
  })

  it('have ids of their own', () => {
    expect(new Set(DEFINITIONS.map((definition) => definition.id)).size).toBe(DEFINITIONS.length)
    expect(definitionOf('nothing')).toBeUndefined()
  })

  it('name their secrets', () => {
    expect(DEFINITIONS.map((definition) => [definition.id, secretProperties(definition)])).toEqual([
      ['manual', []],
      ['file', ['password', 'accessToken', 'privateKey', 'passphrase']],
      ['scim-in', []],
      ['rest', ['password', 'bearerToken', 'apiKey', 'clientSecret']],
      ['ldap', ['password']],
      ['scim', ['token', 'password', 'clientSecret']],
      ['webhook', ['secret', 'previousSecret']],
      ['manual-target', []],
      ['workplace', ['token', 'password', 'clientSecret']],
    ])
  })
})
