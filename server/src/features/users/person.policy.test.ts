import type { Role } from '@instep/contract/roles.ts'
import { describe, expect, it } from 'vitest'
import { type Editability, editableFields, permitsFor } from './person.policy.ts'

const free: Editability = { locked: false, lockKind: null, connectorPermissions: 1023, takesUpdates: true }
const tenantAdmin = { roles: ['admin.tenant'] as Role[], permissions: 1023 }
const siteAdmin = { roles: ['admin.site'] as Role[], permissions: 1023 }
const NO_EDIT = 1023 - 128

const codes = (caller: typeof tenantAdmin, person: Partial<Editability>) => {
  const { edit, lock, vip } = permitsFor(caller, { ...free, ...person })
  return [edit, lock, vip].map(({ allowed, code }) => (allowed ? 'yes' : code))
}

describe('whether somebody may be edited, locked, marked', () => {
  it.each<[string, typeof tenantAdmin, Partial<Editability>, (string | null)[]]>([
    ['nothing in the way', tenantAdmin, {}, ['yes', 'yes', 'yes']],
    ['below tenant level', siteAdmin, {}, ['yes', 'yes', 'FORBIDDEN']],
    [
      'no bit of the caller',
      { ...tenantAdmin, permissions: NO_EDIT },
      {},
      ['USER_NOT_MODIFIABLE', 'USER_NOT_MODIFIABLE', 'USER_NOT_MODIFIABLE'],
    ],
    [
      'no bit of the connector',
      tenantAdmin,
      { connectorPermissions: NO_EDIT },
      ['USER_NOT_MODIFIABLE', 'USER_NOT_MODIFIABLE', 'USER_NOT_MODIFIABLE'],
    ],
    ['a connector that takes no changes', tenantAdmin, { takesUpdates: false }, ['USER_NOT_MODIFIABLE', 'yes', 'yes']],
    ['and a lock', tenantAdmin, { takesUpdates: false, locked: true, lockKind: 'admin' }, ['USER_NOT_MODIFIABLE', 'yes', 'USER_LOCKED']],
    ['a lock of an administrator', tenantAdmin, { locked: true, lockKind: 'admin' }, ['USER_LOCKED', 'yes', 'USER_LOCKED']],
    ['a lock of nobody knows whom', tenantAdmin, { locked: true }, ['USER_LOCKED', 'yes', 'USER_LOCKED']],
    ['an erasure', tenantAdmin, { locked: true, lockKind: 'erasure' }, ['USER_LOCKED', 'USER_LOCKED', 'USER_LOCKED']],
    ['a move', siteAdmin, { locked: true, lockKind: 'move' }, ['USER_LOCKED', 'USER_LOCKED', 'FORBIDDEN']],
  ])('%s', (...[, caller, person, expected]) => expect(codes(caller, person)).toEqual(expected))
})

it('of somebody from a source only what can be overridden is editable, of anybody else all', () => {
  expect(editableFields(false)).toHaveLength(41)
  expect(editableFields(true).join(' ')).toBe(
    'externalId givenName familyName displayName workEmail personalEmail workPhone personalPhone preferredLanguage title department division organization costCenter locationName locality country manager managerReferenceType approver approverReferenceType startDate endDate accessCodeDelivery active claimFields',
  )
})
