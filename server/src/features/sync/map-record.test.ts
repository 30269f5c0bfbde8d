import type { Mapping } from '@instep/contract/sync.ts'
import { describe, expect, it } from 'vitest'
import { createMapper } from './map-record.ts'
import { resolveMapping } from './resolve-mapping.ts'

const HEADER = ['id', 'first', 'last', 'shown', 'mail', 'phone', 'lang', 'start', 'how', 'team']
const mapping: Mapping = {
  fields: {
    externalId: { column: 'id' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    displayName: { column: 'shown' },
    workEmail: { column: 'mail' },
    workPhone: { column: 'phone' },
    preferredLanguage: { column: 'lang', values: { Français: 'fr-FR' } },
    startDate: { column: 'start', dateFormat: 'DMY' },
    accessCodeDelivery: { column: 'how' },
    department: { column: 'team' },
  },
}
const usual = { id: 'E1', first: 'Ada', last: 'Byron', shown: '', mail: '', phone: '', lang: '', start: '', how: '', team: '' }
const read = (change: Partial<typeof usual>, header = HEADER) =>
  createMapper(resolveMapping(mapping, header))(header.map((name) => ({ ...usual, ...change })[name as keyof typeof usual] ?? ''))

describe('a record is refused', () => {
  it.each([
    ['without an external id', { id: '  ' }, { code: 'required', field: 'externalId' }],
    ['without a given name', { first: '' }, { code: 'required', field: 'givenName' }],
    ['without a family name', { last: '\n' }, { code: 'required', field: 'familyName' }],
    ['with U+0000', { team: 'a\0b' }, { code: 'characters', field: 'department' }],
    ['with half a surrogate pair', { team: 'a\ud83d' }, { code: 'characters', field: 'department' }],
    ['with more than 250 characters', { team: 'x'.repeat(251) }, { code: 'tooLong', field: 'department' }],
    ['with a day that does not exist', { start: '31/02/2024' }, { code: 'date', field: 'startDate' }],
    ['with a date in another order', { start: '02/28/2024' }, { code: 'date', field: 'startDate' }],
    ['with words for a date', { start: 'soon' }, { code: 'date', field: 'startDate' }],
    ['with an email address without a domain', { mail: 'ada@' }, { code: 'email', field: 'workEmail' }],
    ['with two email addresses in one cell', { mail: 'a@example.com;b@example.com' }, { code: 'email', field: 'workEmail' }],
    ['with an email address with a space', { mail: 'a b@example.com' }, { code: 'email', field: 'workEmail' }],
    ['with a phone number that a spreadsheet has rounded', { phone: '4,47911E+11' }, { code: 'phone', field: 'workPhone' }],
    ['with letters for a phone number', { phone: 'ask reception' }, { code: 'phone', field: 'workPhone' }],
    ['with a language in words', { lang: 'English' }, { code: 'language', field: 'preferredLanguage' }],
    ['with an unknown way of delivery', { how: 'pigeon' }, { code: 'delivery', field: 'accessCodeDelivery' }],
  ])('%s', (_, change, reason) => {
    expect(read(change).problems).toEqual([expect.objectContaining(reason)])
  })

  it('with every reason at once, and shows cells so that a screen and the database can take them', () => {
    const { problems } = read({ first: '', start: `99/99/99${'9'.repeat(200)}`, team: 'a\0b' })
    expect(problems.map(({ code }) => code)).toEqual(['required', 'characters', 'date'])
    expect(String(problems[2]?.params?.['value'])).toHaveLength(80)
    expect(problems[1]?.params).toEqual({ value: 'a\ufffdb' })
  })
})

describe('a record is read', () => {
  it.each([
    ['trimmed', { team: '  Toys ' }, { department: 'Toys' }],
    ['without line breaks', { team: 'Toys\r\n& Games' }, { department: 'Toys& Games' }],
    ['otherwise code point for code point', { team: '𝔄 e\u0301 ß' }, { department: '𝔄 e\u0301 ß' }],
    ['with 250 characters beyond the basic plane', { team: '😀'.repeat(250) }, { department: '😀'.repeat(250) }],
    ['with its date', { start: '29/02/2024' }, { startDate: '2024-02-29' }],
    ['with an international phone number as E.164', { phone: '0044 (0)20 7946-0018' }, { workPhone: '+442079460018' }],
    ['with a phone number of no known country as it was written', { phone: '020 7946 0018' }, { workPhone: '020 7946 0018' }],
    ['with a language tag in its usual spelling', { lang: 'fr_fr' }, { preferredLanguage: 'fr-FR' }],
    ['with values translated by the mapping', { lang: ' Français ' }, { preferredLanguage: 'fr-FR' }],
    ['with the display name it gives', { shown: 'Ada L.' }, { displayName: 'Ada L.' }],
    ['with given and family name for a display name it does not give', {}, { displayName: 'Ada Byron' }],
    ['with its way of delivery, however it is written', { how: 'SMS.Personal' }, { accessCodeDelivery: 'sms.personal' }],
    ['with delivery to the work email where there is one', { mail: 'ada@example.com' }, { accessCodeDelivery: 'email.work' }],
    ['with no delivery where there is none', {}, { accessCodeDelivery: 'none', workEmail: null }],
  ])('%s', (_, change, values) => {
    const mapped = read(change)
    expect(mapped.problems).toEqual([])
    expect(mapped.values).toMatchObject(values)
  })

  it('says nothing about a field whose column is lost, nor about one derived from it', () => {
    const { values } = read(
      { mail: 'ada@example.com' },
      HEADER.filter((name) => name !== 'mail' && name !== 'shown'),
    )
    expect(values).not.toHaveProperty('workEmail')
    expect(values).not.toHaveProperty('displayName')
    expect(values).not.toHaveProperty('accessCodeDelivery')
  })
})
