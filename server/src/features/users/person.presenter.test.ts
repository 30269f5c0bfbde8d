import { User } from '@instep/contract/users.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { presentUser } from './person.presenter.ts'
import type { UserRecord } from './person.views.ts'
import { presentOverrides } from './user-overrides.presenter.ts'

const ID = '01a1fbc4-84c5-717f-bb92-dfc8ab813fad'

const record: UserRecord = {
  id: ID,
  tenant_id: ID,
  connector_id: ID,
  site_id: null,
  ingestion_type: 'file',
  external_id: 'NW-1',
  external_reference_id: null,
  employee_number: null,
  user_name: null,
  given_name: 'Ada',
  family_name: 'Byron',
  display_name: 'Ada Lovelace',
  title: null,
  department: null,
  location_name: null,
  active: true,
  claim_state: 'awaitingInvitation',
  deactivated_at: null,
  access_code_delivery: 'none',
  start_date: null,
  locked: false,
  vip: false,
  overridden: false,
  work_email: null,
  personal_email: null,
  work_phone: null,
  personal_phone: null,
  preferred_language: null,
  locale: null,
  timezone: null,
  user_type: null,
  division: null,
  organization: null,
  cost_center: null,
  locality: null,
  country: null,
  manager: null,
  approver: null,
  leader: null,
  end_date: null,
  gender: null,
  employment_type: null,
  date_of_birth: null,
  custom_field_1: null,
  custom_field_2: null,
  external_partner_company: null,
  external_id_prefix: null,
  claim_fields: {},
  invited_at: null,
  claimed_at: null,
  version: 1,
  sso_data: null,
  manager_reference_type: null,
  approver_reference_type: null,
  overrides: null,
}

describe('a person in the API shape', () => {
  it('has nothing but the required parts when nothing else is known', () => {
    expect(presentUser(record)).toMatchObject({
      name: { formatted: 'Ada Byron', givenName: 'Ada', familyName: 'Byron' },
      displayName: 'Ada Lovelace',
      emails: [],
      phoneNumbers: [],
      addresses: [],
      enterprise: { manager: null, approver: null, leader: null },
    })
  })

  it.each([
    [
      'w@x.example',
      'p@x.example',
      [
        ['w@x.example', 'work', true],
        ['p@x.example', 'personal', false],
      ],
    ],
    ['w@x.example', null, [['w@x.example', 'work', true]]],
    [null, 'p@x.example', [['p@x.example', 'personal', true]]],
  ])('work e-mail %s and personal e-mail %s: the work one is primary where there is one', (work_email, personal_email, emails) =>
    expect(presentUser({ ...record, work_email, personal_email }).emails.map(({ value, type, primary }) => [value, type, primary])).toEqual(
      emails,
    ),
  )

  it('refers to a manager as somebody said', () => {
    const { enterprise } = presentUser({ ...record, manager: 'NW@7', manager_reference_type: 'externalId' })
    expect(enterprise.manager).toEqual({ value: 'NW@7', referenceType: 'externalId' })
  })

  it.each([
    ['boss@x.example', 'email'],
    ['NW-7', 'externalId'],
  ])('a manager written as %s is referred to by %s', (manager, referenceType) => {
    const { enterprise } = presentUser({ ...record, manager, approver: manager, leader: manager })
    expect(enterprise.manager).toEqual({ value: manager, referenceType })
    expect(enterprise.approver).toEqual({ value: manager, referenceType })
    expect(enterprise.leader).toEqual({ value: manager, referenceType: 'email' })
  })

  it('has one address when any part of it is known', () => {
    const address = { type: 'work', primary: true }
    expect(presentUser({ ...record, country: 'FR' }).addresses).toEqual([{ ...address, formatted: null, locality: null, country: 'FR' }])
    expect(presentUser({ ...record, location_name: 'Lyon' }).addresses).toEqual([
      { ...address, formatted: 'Lyon', locality: null, country: null },
    ])
  })

  it('says dates at both places, and instants in UTC', () => {
    const user = presentUser({ ...record, start_date: '2024-02-29', end_date: '2030-01-01', invited_at: new Date('2026-01-02T03:04:05Z') })
    expect([user.startDate, user.extension.startDate]).toEqual(['2024-02-29', '2024-02-29'])
    expect([user.endDate, user.extension.endDate]).toEqual(['2030-01-01', '2030-01-01'])
    expect(user.claim.invitedAt).toBe('2026-01-02T03:04:05.000Z')
  })

  it('fits the contract, whatever text the columns hold', () => {
    const text = fc.option(fc.string(), { nil: null })
    const columns = fc.record({
      title: text,
      manager: text,
      work_email: text,
      personal_phone: text,
      location_name: text,
      overrides: fc.dictionary(fc.string(), fc.jsonValue()),
    })
    fc.assert(
      fc.property(columns, (given) => {
        User.parse(presentUser({ ...record, ...given } as UserRecord))
      }),
      { seed: 11, numRuns: 100 },
    )
  })
})

describe('overrides', () => {
  it('show every key that can be overridden, null where nothing is', () => {
    const shown = presentOverrides({})
    expect(Object.keys(shown)).toEqual(
      'name title organization externalId manager approver active addresses division phoneNumber department costCenter startDate endDate email preferredLanguage accessCodeDelivery claimFields'.split(
        ' ',
      ),
    )
    expect(new Set(Object.values(shown))).toEqual(new Set([null]))
  })

  it('show name and addresses leaf by leaf', () => {
    expect(presentOverrides({ givenName: 'Augusta', country: null, title: 'Countess', active: false })).toMatchObject({
      name: { givenName: 'Augusta', familyName: null, displayName: null },
      addresses: { formatted: null, locality: null, country: null },
      title: 'Countess',
      active: false,
      phoneNumber: null,
    })
  })
})
