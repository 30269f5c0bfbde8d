import type { UserDetails } from '@instep/contract/users.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EditWorld, editWorld } from './testing/edit-world.ts'

let world: EditWorld
beforeAll(async () => {
  world = await editWorld()
})
afterAll(() => world.close())

const NAUGHTY = [
  '=HYPERLINK("http://x")',
  '+1+1',
  '@SUM(A1)',
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '\u202eright to left\u202c',
  '👩‍👩‍👧‍👦 e\u0301 ﷽ \u200b \u00a0 x',
  '{{user}} %s \\',
  'null',
  '\ufeffmarked!',
  '$&',
]
const TEXTS: [string, (text: string) => Record<string, unknown>, (user: UserDetails) => unknown][] = [
  ['externalId', (externalId) => ({ externalId }), (user) => user.externalId],
  ['name.givenName', (givenName) => ({ name: { givenName } }), (user) => user.name.givenName],
  ['name.familyName', (familyName) => ({ name: { familyName } }), (user) => user.name.familyName],
  ['displayName', (displayName) => ({ displayName }), (user) => user.displayName],
  ['title', (title) => ({ title }), (user) => user.title],
  ['userType', (userType) => ({ userType }), (user) => user.userType],
  ['userName', (userName) => ({ userName }), (user) => user.userName],
  ['externalReferenceId', (externalReferenceId) => ({ externalReferenceId }), (user) => user.externalReferenceId],
  ['locale', (locale) => ({ locale }), (user) => user.locale],
  ['timezone', (timezone) => ({ timezone }), (user) => user.timezone],
  ['addresses.formatted', (formatted) => ({ addresses: [{ formatted }] }), (user) => user.addresses[0]?.formatted],
  ['addresses.locality', (locality) => ({ addresses: [{ locality }] }), (user) => user.addresses[0]?.locality],
  ['addresses.country', (country) => ({ addresses: [{ country }] }), (user) => user.addresses[0]?.country],
  ...(['employeeNumber', 'costCenter', 'organization', 'division', 'department'] as const).map((field): (typeof TEXTS)[number] => [
    `enterprise.${field}`,
    (text) => ({ enterprise: { [field]: text } }),
    (user) => user.enterprise[field],
  ]),
  ...(['manager', 'approver'] as const).map((field): (typeof TEXTS)[number] => [
    `enterprise.${field}`,
    (value) => ({ enterprise: { [field]: { value, referenceType: 'externalId' } } }),
    (user) => user.enterprise[field]?.value,
  ]),
  [
    'enterprise.leader',
    (value) => ({ enterprise: { leader: { value, referenceType: 'email' } } }),
    (user) => user.enterprise.leader?.value,
  ],
  ...(['gender', 'employmentType', 'customField1', 'customField2', 'externalPartnerCompany'] as const).map(
    (field): (typeof TEXTS)[number] => [
      `extension.${field}`,
      (text) => ({ extension: { [field]: text } }),
      (user) => user.extension[field],
    ],
  ),
]

describe('any text', () => {
  it.each(TEXTS)('of %s comes back code point for code point, or is refused on the field', async (path, body, read) => {
    const id = await world.added()
    for (const text of NAUGHTY) {
      const { status, body: answer } = await world.edit(id, body(`  ${text}\r\n`))
      expect([status, read(answer)]).toEqual([200, text.trim()])
    }
    expect(await world.edit(id, body('x'.repeat(10_000)))).toMatchObject({
      status: 400,
      body: { code: 'INVALID', fields: { [path]: ['This is too long. Shorten it.'] } },
    })
    expect((await world.edit(id, body('x'.repeat(30_000)))).status).toBe(400)
    for (const text of ['a\0b', '\ud83d', '\udc00x']) expect((await world.edit(id, body(text))).status).toBe(400)
    expect(read(await world.profile(id))).toBe(NAUGHTY.at(-1))
  })
})

describe('any body', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '',
      ' ',
      '\0',
      '\ud800',
      'x'.repeat(300),
      '29/02/2024',
      '9999-12-31',
      '0000-01-01',
      'a@b.example',
      '+44',
      'fr-FR',
      'email.work',
    ),
  )
  const reference = fc.option(fc.record({ value: fc.option(text), referenceType: fc.constantFrom('email', 'externalId', null) }))
  const dated = { startDate: fc.option(text), endDate: fc.option(text) }
  const body = fc.record(
    {
      externalId: text,
      userName: fc.option(text),
      siteId: fc.option(fc.oneof(text, fc.uuid())),
      active: fc.boolean(),
      displayName: fc.option(text),
      preferredLanguage: fc.option(text),
      ...dated,
      name: fc.record({ givenName: fc.option(text), familyName: fc.option(text) }, { requiredKeys: [] }),
      emails: fc.array(fc.record({ value: text, type: fc.constantFrom('work', 'personal') }), { maxLength: 3 }),
      phoneNumbers: fc.array(fc.record({ value: text, type: fc.constantFrom('work', 'personal', 'mobile') }), { maxLength: 3 }),
      enterprise: fc.record({ manager: reference, leader: reference, department: fc.option(text) }, { requiredKeys: [] }),
      extension: fc.record(
        { ...dated, dateOfBirth: fc.option(text), claimFields: fc.option(fc.dictionary(fc.oneof(text, fc.uuid()), fc.option(text))) },
        { requiredKeys: [] },
      ),
      overrides: fc.dictionary(
        fc.oneof(text, fc.constantFrom('name', 'manager', '__proto__', 'toString', 'name.constructor')),
        fc.oneof(fc.constant(null), fc.jsonValue()),
      ),
      overrideReason: fc.option(text),
      overrideUntil: fc.option(text),
      title: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )

  it('is taken or refused, of a creation and of edits with and without a source', async () => {
    const people = [await world.added(), await world.sourced()]
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        for (const id of people) {
          expect((await world.edit(id, given)).status).toBeOneOf([200, 400, 409])
        }
        expect((await world.create({ ...given })).status).toBeOneOf([201, 400, 409])
      }),
      { seed: 4, numRuns: 60 },
    )
  })
})

describe('any value of another kind', () => {
  it.each<[string, (text: string) => Record<string, unknown>]>([
    ['emails.work', (value) => ({ emails: [{ value, type: 'work' }] })],
    ['emails.personal', (value) => ({ emails: [{ value, type: 'personal' }] })],
    ['phoneNumbers.work', (value) => ({ phoneNumbers: [{ value, type: 'work' }] })],
    ['phoneNumbers.personal', (value) => ({ phoneNumbers: [{ value, type: 'mobile' }] })],
    ['preferredLanguage', (preferredLanguage) => ({ preferredLanguage })],
    ['startDate', (startDate) => ({ startDate })],
    ['endDate', (endDate) => ({ endDate })],
    ['extension.dateOfBirth', (dateOfBirth) => ({ extension: { dateOfBirth } })],
    ['extension.accessCodeDelivery', (accessCodeDelivery) => ({ extension: { accessCodeDelivery } })],
  ])('is refused on %s', async (path, body) => {
    const id = await world.added()
    for (const text of [...NAUGHTY, 'x'.repeat(10_000), 'a\0b', '\ud83d']) {
      const { status, body: answer } = await world.edit(id, body(text))
      expect([status, answer.code]).toEqual([400, 'INVALID'])
      // a character that is no text is found before anybody knows what the entry stands for
      expect(Object.keys(answer.fields ?? {})[0]?.split('.')[0]).toBe(path.split('.')[0])
    }
    expect((await world.profile(id)).version).toBe(1)
  })

  it('is refused of a prefix, which has no special characters', async () => {
    const id = await world.added()
    for (const externalIdPrefix of [...NAUGHTY.filter((text) => text !== 'null'), 'x'.repeat(10_000), 'a\0b', '\ud83d']) {
      const { status, body } = await world.edit(id, { extension: { externalIdPrefix } })
      expect([status, body.code]).toEqual([400, 'INVALID'])
    }
    expect((await world.edit(id, { extension: { externalIdPrefix: ' null\r\n' } })).body.extension.externalIdPrefix).toBe('null')
  })
})
