import type { Site } from '@instep/contract/sites.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from './scope.tsx'

export interface GroupedSite extends Site {
  /** The name of its site group, or what those of none stand under. */
  readonly group: string
}

/** The sites that the caller may see by site group, then by name; those of no group last. Every selector of a site offers them so. */
export const useGroupedSites = (): readonly GroupedSite[] => {
  const { t } = useTranslation('common')
  const { sites, siteGroups } = useScope()
  return useMemo(() => {
    const names = new Map(siteGroups?.map(({ id, name }) => [id, name]))
    return (sites ?? [])
      .map((site) => ({ ...site, group: (site.groupId && names.get(site.groupId)) || t('otherSites') }))
      .sort((a, b) => Number(!a.groupId) - Number(!b.groupId) || a.group.localeCompare(b.group) || a.name.localeCompare(b.name))
  }, [t, sites, siteGroups])
}
