import { buttonClass } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconDoorExit } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import styles from './page-frame.module.css'

/** After signing out. */
export function LoggedOutPage() {
  const { t } = useTranslation('shell')
  const again = (
    <a className={buttonClass('primary', 'form')} href={paths.dashboard()}>
      {t('gate.signIn')}
    </a>
  )
  return (
    <main className={styles.middle}>
      <EmptyState page icon={IconDoorExit} title={t('gate.signedOut')} text={t('gate.signedOutText')} actions={again} />
    </main>
  )
}
