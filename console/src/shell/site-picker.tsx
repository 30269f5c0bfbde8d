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
import { useGroupedSites } from '../shared/use-grouped-sites.ts'
import { useConsole } from './console-store.ts'
import { hrefOf, isOfSite, itemAt } from './navigation.ts'
import { PickerButton } from './picker-button.tsx'

const ALL = 'all'
const OF_GROUP = 'group '

interface SitePickerProps {
  small: boolean
}

/** Chooses the site that dashboard and people are about: sites by group, with "All sites" first and site groups without any last. */
export function SitePicker({ small }: SitePickerProps) {
  const { t } = useTranslation('shell')
  const { tenant, siteGroups, sites: known } = useScope()
  const sites = useGroupedSites()
  // tenant level sees them too, and gets to where they are filled
  const withoutSites = (known && siteGroups?.filter((group) => !known.some(({ groupId }) => groupId === group.id))) ?? []
  const { pathname } = useLocation()
  const go = useGo()
  const siteId = useConsole((state) => state.siteId)
  const set = useConsole((state) => state.set)
  const [search, setSearch] = useState('')
  const site = sites.find((one) => one.id === siteId)
  const words = fold(search)
  const options: ListOption[] = [
    ...(fold(t('site.all')).includes(words) ? [{ key: ALL, label: t('site.all'), icon: IconWorld }] : []),
    ...sites
      .filter(({ name, group }) => fold(`${name} ${group}`).includes(words))
      .map(({ id, name, group }) => ({ key: id, label: name, group })),
    ...withoutSites
      .filter(({ name }) => fold(name).includes(words))
      .map(({ id, name }) => ({ key: OF_GROUP + id, label: t('site.emptyGroup', { group: name }), group: name })),
  ]
  const pick = (key: string) => {
    if (key.startsWith(OF_GROUP)) return go(paths.sites({ tab: 'groups', open: key.slice(OF_GROUP.length) }))
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
          note={site ? site.group : sites.length > 0 ? count : tenant.name}
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
