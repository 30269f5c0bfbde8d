import { buttonClass } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconMapOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { AppLink } from '../shared/app-link.tsx'
import styles from './page-frame.module.css'

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation('shell')
  const home = (
    <AppLink className={buttonClass()} href={paths.dashboard()}>
      {t('notForYou.home')}
    </AppLink>
  )
  return (
    <div className={styles.middle}>
      <EmptyState page icon={IconMapOff} title={t('common:error404')} text={t('common:error404Text')} actions={home} />
    </div>
  )
}
