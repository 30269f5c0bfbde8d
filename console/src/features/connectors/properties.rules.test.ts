import { describe, expect, it } from 'vitest'
import { filledIn, missingIn, propertiesOf, shownValue } from './properties.rules.ts'

const properties = propertiesOf({
  propertiesSchema: {
    required: ['baseUrl', 'token'],
    properties: {
      baseUrl: { type: 'string' },
      token: { type: 'string', secret: true },
      leaver: { type: 'string', enum: ['disable', 'delete'], default: 'disable' },
      allowHttp: { type: 'boolean', default: false },
    },
  },
})
const stored = { properties: { baseUrl: 'https://a.example', leaver: 'delete' }, secretsSet: ['token'] }

describe('the form of a connector', () => {
  it('asks for what the schema requires', () => {
    expect(missingIn(properties, {}, null)).toEqual(['baseUrl', 'token'])
    expect(missingIn(properties, { baseUrl: '  ', token: 'x' }, null)).toEqual(['baseUrl'])
  })

  it('does not ask for a secret that is set, and does not send it again', () => {
    expect(missingIn(properties, {}, stored)).toEqual([])
    expect(filledIn(properties, {}, stored)).toEqual({ baseUrl: 'https://a.example', leaver: 'delete', allowHttp: false })
  })

  it('sends a new secret and what was changed', () => {
    expect(filledIn(properties, { token: 'new', leaver: 'disable' }, stored)).toEqual({
      baseUrl: 'https://a.example',
      token: 'new',
      leaver: 'disable',
      allowHttp: false,
    })
  })

  it('sends whole numbers as numbers, and anything else as it was typed', () => {
    const [size] = propertiesOf({ propertiesSchema: { properties: { size: { type: 'integer', default: 100 } } } })
    if (!size) throw new Error('no field')
    expect(filledIn([size], {}, null)).toEqual({ size: 100 })
    expect(filledIn([size], { size: ' 7 ' }, null)).toEqual({ size: 7 })
    expect(filledIn([size], { size: 'many' }, null)).toEqual({ size: 'many' })
    expect(filledIn([size], { size: '' }, null)).toEqual({ size: null })
  })

  it('starts from the standard values', () => {
    expect(properties.map((property) => shownValue(property, undefined, null))).toEqual(['', '', 'disable', false])
  })
})

describe('fields that depend on others', () => {
  const conditional = propertiesOf({
    propertiesSchema: {
      properties: {
        delivery: { type: 'string', enum: ['upload', 'sftp'], default: 'upload' },
        port: { type: 'integer', default: 22, shownWhen: [{ delivery: ['sftp'] }] },
        password: { type: 'string', secret: true, needed: true, shownWhen: [{ delivery: ['sftp'] }] },
      },
    },
  })

  it('are neither asked for nor sent while they do not count', () => {
    expect(missingIn(conditional, {}, null)).toEqual([])
    expect(filledIn(conditional, { password: 'typed before' }, null)).toEqual({ delivery: 'upload' })
  })

  it('are asked for and sent once they do', () => {
    expect(missingIn(conditional, { delivery: 'sftp' }, null)).toEqual(['password'])
    expect(filledIn(conditional, { delivery: 'sftp', password: 'x' }, null)).toEqual({ delivery: 'sftp', port: 22, password: 'x' })
    expect(missingIn(conditional, {}, { properties: { delivery: 'sftp' }, secretsSet: ['password'] })).toEqual([])
  })
})
