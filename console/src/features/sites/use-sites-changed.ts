import { getSite, getSiteGroup, listSiteGroups, listSites } from '@instep/contract/sites.ts'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../api/use-endpoint.ts'

/** Told after a site or a site group changed: lists, pickers and what is open show it anew. */
export const useSitesChanged = (): (() => void) => {
  const cache = useQueryClient()
  return () => {
    for (const endpoint of [listSites, getSite, listSiteGroups, getSiteGroup]) {
      void cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
    }
  }
}
