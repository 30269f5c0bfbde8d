import type { Site } from '@instep/contract/sites.ts'
import { Popover } from '@instep/ui/popover.tsx'
import { type ListOption, SearchList } from '@instep/ui/search-list.tsx'
import { IconBuildingStore, IconWorld } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { fold } from '../shared/fold.ts'
import { useScope } from '../shared/scope.tsx'
import { useGo } from '../shared/use-go.ts'
import { useConsole } from './console-store.ts'
import { hrefOf, isOfSite, itemAt } from './navigation.ts'
import { PickerButton } from './picker-button.tsx'

const ALL = 'all'

interface SitePickerProps {
  small: boolean
}

/** Chooses the site that dashboard and people are about: sites by group, with "All sites" first. */
export function SitePicker({ small }: SitePickerProps) {
  const { t } = useTranslation('shell')
  const { sites = [], siteGroups = [], tenant } = useScope()
  const { pathname } = useLocation()
  const go = useGo()
  const siteId = useConsole((state) => state.siteId)
  const set = useConsole((state) => state.set)
  const [search, setSearch] = useState('')
  const groups = new Map(siteGroups.map((group) => [group.id, group.name]))
  const groupOf = (site: Site) => (site.groupId && groups.get(site.groupId)) || t('site.other')
  const site = sites.find((one) => one.id === siteId)
  const words = fold(search)
  const byGroup = (a: Site, b: Site) =>
    Number(!a.groupId) - Number(!b.groupId) || groupOf(a).localeCompare(groupOf(b)) || a.name.localeCompare(b.name)
  const options: ListOption[] = [
    ...(fold(t('site.all')).includes(words) ? [{ key: ALL, label: t('site.all'), icon: IconWorld }] : []),
    ...sites
      .filter((one) => fold(`${one.name} ${groupOf(one)}`).includes(words))
      .sort(byGroup)
      .map((one) => ({ key: one.id, label: one.name, group: groupOf(one) })),
  ]
  const pick = (key: string) => {
    const picked = key === ALL ? null : key
    set({ siteId: picked })
    const at = itemAt(pathname)
    go(at && isOfSite(at) ? hrefOf(at, picked) : paths.dashboard(picked))
  }
  const count = t('site.count', { count: sites.length })
  return (
    <Popover
      width="280px"
      trigger={(props) => (
        <PickerButton
          {...props}
          small={small}
          icon={IconBuildingStore}
          label={t('site.pick')}
          name={site?.name ?? t('site.all')}
          note={site ? groupOf(site) : sites.length > 0 ? count : tenant.name}
        />
      )}
    >
      {(close) => (
        <SearchList
          label={t('site.pick')}
          placeholder={t('site.find')}
          empty={t('site.none')}
          options={options}
          search={search}
          onSearch={setSearch}
          picked={site?.id ?? ALL}
          onPick={(option) => {
            close()
            setSearch('')
            pick(option.key)
          }}
        />
      )}
    </Popover>
  )
}
