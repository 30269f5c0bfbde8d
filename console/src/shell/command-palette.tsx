import { listConnectors } from '@instep/contract/connectors.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { ModalLayer } from '@instep/ui/modal-layer.tsx'
import { type ListOption, SearchList } from '@instep/ui/search-list.tsx'
import { IconFileText, IconPlugConnected, IconUser } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../api/use-endpoint.ts'
import { paths } from '../paths.ts'
import { fold } from '../shared/fold.ts'
import { useScope } from '../shared/scope.tsx'
import { useGo } from '../shared/use-go.ts'
import { useSettled } from '../shared/use-settled.ts'
import { useConsole } from './console-store.ts'
import { hrefOf, isAmong, navigationFor } from './navigation.ts'

const PEOPLE_SHOWN = 8
const PAUSE = 200

interface CommandPaletteProps {
  onClose: () => void
}

/** Jumps to a page, a person by name, or a connector. */
export function CommandPalette({ onClose }: CommandPaletteProps) {
  const { t } = useTranslation('shell')
  const { me, tenantId } = useScope()
  const go = useGo()
  const siteId = useConsole((state) => state.siteId)
  const [search, setSearch] = useState('')
  const words = fold(useDeferredValue(search).trim())
  const asked = useSettled(search.trim(), PAUSE)
  const people = useEndpoint(
    searchUsers,
    { params: { connectorId: tenantId }, body: { searchText: asked, pageSize: PEOPLE_SHOWN } },
    { enabled: asked !== '' && isAmong('people', me.roles) },
  )
  const connectors = useEndpoint(listConnectors, { params: { tenantId } }, { enabled: isAmong('tenant', me.roles) })

  const targets = new Map<string, string>()
  const option = (key: string, href: string, rest: Omit<ListOption, 'key'>): ListOption => {
    targets.set(key, href)
    return { key, ...rest }
  }
  const pages = navigationFor(me.roles).flatMap((item) => [
    option(item.key, hrefOf(item.key, siteId), { label: t(`nav.${item.key}`), group: t('search.pages'), icon: IconFileText }),
    ...(item.statuses ?? [])
      .filter((status) => status !== 'all')
      .map((status) =>
        option(`people.${status}`, paths.people({ siteId, status }), {
          label: `${t('nav.people')}: ${t(`people.${status}`)}`,
          group: t('search.pages'),
          icon: IconFileText,
        }),
      ),
  ])
  const found = (asked === '' ? [] : (people.data?.data ?? [])).map((person) =>
    option(person.id, paths.people({ userId: person.id, connectorId: person.connectorId, search: asked }), {
      label: person.displayName,
      note: { text: person.employeeId },
      group: t('search.people'),
      icon: IconUser,
    }),
  )
  const plugs = (connectors.data?.data ?? []).map((connector) =>
    option(connector.id, paths.connector(connector.id), { label: connector.name, group: t('search.connectors'), icon: IconPlugConnected }),
  )
  const matches = (one: ListOption) => fold(one.label).includes(words)
  return (
    <ModalLayer label={t('search.title')} onClose={onClose} width={560} high>
      <SearchList
        label={t('search.title')}
        placeholder={t('search.placeholder')}
        empty={t(people.isFetching || asked !== search.trim() ? 'search.searching' : 'search.none')}
        options={[...pages.filter(matches), ...found, ...plugs.filter(matches)]}
        search={search}
        onSearch={setSearch}
        onPick={(picked) => {
          onClose()
          go(targets.get(picked.key) ?? '/')
        }}
      />
    </ModalLayer>
  )
}
