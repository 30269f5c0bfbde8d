import type { Permit } from '@instep/contract/permit.ts'
import type { ProblemCode } from '@instep/contract/problem.ts'
import { isTenantLevel, permits, type Role } from '@instep/contract/roles.ts'

interface Caller {
  readonly roles: readonly Role[]
  readonly permissions: number
}

const EDITORS: readonly Role[] = ['admin.super', 'admin.tenant', 'admin.sitegroup']

const permitUnless = (code: ProblemCode | undefined): Permit => ({ allowed: code === undefined, code: code ?? null })
const withoutBit = ({ permissions }: Caller): ProblemCode | undefined =>
  permits('editSites', permissions) ? undefined : 'PERMISSION_MISSING'

/** Whether the caller may edit a site they see, and may restrict it: restricted ones reach nobody through a group, so only tenant level may. */
export const sitePermits = (caller: Caller): { edit: Permit; restrict: Permit } => ({
  edit: permitUnless(caller.roles.some((role) => EDITORS.includes(role)) ? withoutBit(caller) : 'FORBIDDEN'),
  restrict: permitUnless(isTenantLevel(caller.roles) ? withoutBit(caller) : 'FORBIDDEN'),
})

/** Whether the caller may rename a site group they see. */
export const groupPermits = (caller: Caller): { edit: Permit } => ({
  edit: permitUnless(isTenantLevel(caller.roles) ? withoutBit(caller) : 'FORBIDDEN'),
})
