import { useTranslation } from 'react-i18next'
import { useScope } from '../shared/scope.tsx'
import type { OpenTab } from './console-store.ts'

const ROUTES: readonly [RegExp, string][] = [
  [/^mesh$/, 'nav.dashboard'],
  [/^users$/, 'nav.people'],
  [/^overrides$/, 'nav.overrides'],
  [/^settings$/, 'nav.settings'],
  [/^sites-and-groups$/, 'nav.sites'],
  [/^connectors$/, 'nav.connectors'],
  [/^connectors\/[^/]+$/, 'nav.connector'],
  [/^connectors\/[^/]+\/import$/, 'nav.import'],
  [/^connectors\/[^/]+\/explain$/, 'nav.explain'],
  [/^connectors\/[^/]+\/configuration$/, 'nav.configuration'],
  [/^connectors\/[^/]+\/groups$/, 'nav.groups'],
  [/^connectors\/[^/]+\/users\/[^/]+\/sync$/, 'nav.syncUser'],
  [/^runs$/, 'nav.runs'],
  [/^runs\/[^/]+$/, 'nav.run'],
  [/^cases$/, 'nav.cases'],
  [/^cases\/[^/]+$/, 'nav.case'],
  [/^tasks$/, 'nav.tasks'],
  [/^messages$/, 'nav.messages'],
  [/^logs$/, 'nav.logs'],
]

const OF_SITE: Record<string, string> = { users: 'nav.people', overrides: 'nav.overrides', tasks: 'nav.tasks', settings: 'nav.settings' }

/** Names a folder tab: as its page named it, else by its route; pages of a site carry the site's name. */
export const useTabTitle = (): ((tab: OpenTab) => string) => {
  const { t } = useTranslation('shell')
  const { sites } = useScope()
  return (tab) => {
    const [, siteId, rest] = /^sites\/([^/]+)(?:\/(users|overrides|tasks|settings))?$/.exec(tab.key) ?? []
    if (siteId) {
      const site = sites?.find((one) => one.id === siteId)?.name ?? t('nav.site')
      return t('tabAtSite', { page: t(OF_SITE[rest ?? ''] ?? 'nav.dashboard'), site })
    }
    if (tab.title) return tab.title
    return t(ROUTES.find(([route]) => route.test(tab.key))?.[1] ?? 'nav.notFound')
  }
}
