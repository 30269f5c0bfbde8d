import type { Role } from '@instep/contract/roles.ts'

/** Who is calling, as the administrator's own record says at the time of the call. */
export interface Actor {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly roles: readonly Role[]
  /** Permission bits (decisions.md section 6). */
  readonly permissions: number
  /** Null for a super admin who stands above the tenants. */
  readonly tenantId: string | null
  /** Sites whose people the caller may see; every query carries it in its `where`. */
  readonly sites: 'all' | readonly string[]
}
