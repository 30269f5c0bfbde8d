import type { Site, SiteGroup } from '@instep/contract/sites.ts'
import type { Me, Tenant } from '@instep/contract/tenants.ts'
import { useParams } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'

/** Who works where. */
interface Workplace {
  me: Me
  /** The tenant that is worked in. */
  tenant: Tenant
  /** Those that may be picked: every one for a super admin. */
  tenants: readonly Tenant[]
  /** Sites the caller may see; undefined while they load. */
  sites: readonly Site[] | undefined
  siteGroups: readonly SiteGroup[] | undefined
}

export interface Scope extends Workplace {
  tenantId: string
  /** The site of the address, `/sites/{siteId}/…`; null for the whole tenant. */
  siteId: string | null
  site: Site | null
}

const Given = createContext<Workplace | null>(null)

interface WorkplaceProviderProps {
  workplace: Workplace
  children: ReactNode
}

/** Gives the workplace to everything below. */
export function WorkplaceProvider({ workplace, children }: WorkplaceProviderProps) {
  return <Given value={workplace}>{children}</Given>
}

/** Tenant, site and administrator that the page is about. */
export const useScope = (): Scope => {
  const workplace = useContext(Given)
  if (!workplace) throw new Error('WorkplaceProvider is missing')
  const { siteId = null } = useParams({ strict: false }) as { siteId?: string }
  const site = workplace.sites?.find((one) => one.id === siteId) ?? null
  return { ...workplace, tenantId: workplace.tenant.id, siteId, site }
}
