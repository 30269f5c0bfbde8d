/** What is asked before a site closes. Pure. */
import type { ResponseOf } from '@instep/contract/endpoint.ts'
import type { getClosingImpact } from '@instep/contract/sites.ts'

export type ClosingImpact = ResponseOf<typeof getClosingImpact>

/** Where the people go: another site, the Unassigned bucket, or nowhere. */
export const DESTINATIONS = ['site', 'unassigned', 'stay'] as const
export type Destination = (typeof DESTINATIONS)[number]

/** What the closing call says of the people: undefined while no site was chosen, null where nobody has to go anywhere. */
export const moveOf = (
  impact: Pick<ClosingImpact, 'members'>,
  { destination, siteId }: { destination: Destination; siteId: string | null },
): { siteId: string } | 'unassigned' | 'stay' | null | undefined => {
  if (impact.members === 0) return null
  if (destination !== 'site') return destination
  return siteId === null ? undefined : { siteId }
}

/** Administrators who would look after no site any more. */
export const leftWithoutSite = ({ administrators }: Pick<ClosingImpact, 'administrators'>): string[] =>
  administrators.filter(({ lastSite }) => lastSite).map(({ name }) => name)
