import type { Role } from '@instep/contract/roles.ts'

/** An administrator of the demonstration; anybody on this machine may be one. */
export interface DemonstrationAdmin {
  readonly name: string
  readonly email: string
  readonly role: Role
  /** Slug of the sandbox company; null above the tenants. */
  readonly company: 'northwind' | 'contoso' | null
  /** Site groups and sites looked after, by name. */
  readonly groups: readonly string[]
  readonly sites: readonly string[]
}

/** The one password of every sandbox sign-in. It exists only where the sandbox does. */
export const SANDBOX_PASSWORD = 'instep-sandbox'

const admin = (name: string, role: Role, more: Partial<DemonstrationAdmin> = {}): DemonstrationAdmin => {
  const company = more.company === undefined ? 'northwind' : more.company
  const [given = ''] = name.toLowerCase().split(' ')
  return { name, role, company, email: `${given}@${company ?? 'instep'}.example`, groups: [], sites: [], ...more }
}

/** One administrator of each kind, and two tenants. */
export const DEMONSTRATION_ADMINS: readonly DemonstrationAdmin[] = [
  admin('Amara Whitfield', 'admin.tenant'),
  admin('Sofia Lindqvist', 'admin.super', { company: null }),
  admin('Gabriel Moreau', 'admin.sitegroup', { groups: ['France', 'Benelux'] }),
  admin('Saskia Brennan', 'admin.site', { sites: ['London Bridge'] }),
  admin('Nadia Bergmann', 'admin.gdpr'),
  admin('Callum Byrne', 'admin.tenant', { company: 'contoso' }),
]
