import type { Permit } from '@instep/contract/permit.ts'
import type { ProblemCode } from '@instep/contract/problem.ts'
import { isTenantLevel, permits, type Role } from '@instep/contract/roles.ts'
import { USER_FIELDS, type UserField, userFieldNames } from '@instep/contract/user-fields.ts'
import type { EditableField } from '@instep/contract/users.ts'

/** What decides whether somebody may be changed. */
export interface Editability {
  readonly locked: boolean
  readonly lockKind: 'admin' | 'erasure' | 'move' | null
  readonly connectorPermissions: number
  /** Whether the person's kind of connector takes changes. */
  readonly takesUpdates: boolean
}

interface Caller {
  readonly roles: readonly Role[]
  readonly permissions: number
}

const permitUnless = (code: ProblemCode | undefined): Permit => ({ allowed: code === undefined, code: code ?? null })

const withoutBit = (caller: Caller, { connectorPermissions }: Editability): ProblemCode | undefined =>
  permits('editUsers', caller.permissions, connectorPermissions) ? undefined : 'USER_NOT_MODIFIABLE'

const heldFor = ({ locked }: Editability): ProblemCode | undefined => (locked ? 'USER_LOCKED' : undefined)

/** An administrator's lock is lifted by administrators, one of an erasure or a move by these alone. */
const isHeldByEngine = ({ locked, lockKind }: Editability): boolean => locked && (lockKind === 'erasure' || lockKind === 'move')

/** Whether the caller may edit the person, may lock or unlock them, may mark them as a VIP; or the problem that the call would answer with. */
export const permitsFor = (caller: Caller, person: Editability): { edit: Permit; lock: Permit; vip: Permit } => {
  const bit = withoutBit(caller, person)
  return {
    edit: permitUnless(bit ?? (person.takesUpdates ? heldFor(person) : 'USER_NOT_MODIFIABLE')),
    lock: permitUnless(bit ?? (isHeldByEngine(person) ? 'USER_LOCKED' : undefined)),
    vip: permitUnless(isTenantLevel(caller.roles) ? (bit ?? heldFor(person)) : 'FORBIDDEN'),
  }
}

const isOverridable = (field: EditableField): boolean =>
  field === 'active' || field === 'claimFields' || (field !== 'siteId' && (USER_FIELDS[field] as UserField).overridable === true)

/** Whether an edit may change the field: any of somebody without a source, what can be overridden of somebody with one. */
export const isEditable = (field: EditableField, linked: boolean): boolean => !linked || isOverridable(field)

const EVERY_FIELD: readonly EditableField[] = [...userFieldNames, 'active', 'claimFields', 'siteId']

/** The fields that an edit may change. */
export const editableFields = (linked: boolean): EditableField[] => EVERY_FIELD.filter((field) => isEditable(field, linked))
