import { isTenantLevel } from '@instep/contract/roles.ts'
import { buttonClass } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconBuildingStore, IconLock, IconShieldLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { AppLink } from '../shared/app-link.tsx'
import { useScope } from '../shared/scope.tsx'
import { type Audience, isAmong } from './navigation.ts'

interface AudienceGateProps {
  /** Who may open the page; undefined admits everyone signed in. */
  audience: Audience | undefined
  /** Whether the page is about sites, which administrators below tenant level must have. */
  needsSites: boolean | undefined
  children: ReactNode
}

/** Shows a page to those it is for, and tells the others why not. */
export function AudienceGate({ audience, needsSites = false, children }: AudienceGateProps) {
  const { t } = useTranslation('shell')
  const { me, sites } = useScope()
  if (!audience || isAmong(audience, me.roles)) {
    const homeless = needsSites && !isTenantLevel(me.roles) && sites?.length === 0
    return homeless ? <EmptyState page icon={IconBuildingStore} title={t('noSites.title')} text={t('noSites.text')} /> : children
  }
  if (!isAmong('people', me.roles)) return <EmptyState page icon={IconShieldLock} title={t('noPages.title')} text={t('noPages.text')} />
  const home = (
    <AppLink className={buttonClass()} href={paths.dashboard()}>
      {t('notForYou.home')}
    </AppLink>
  )
  return <EmptyState page icon={IconLock} title={t('notForYou.title')} text={t('notForYou.text')} actions={home} />
}
