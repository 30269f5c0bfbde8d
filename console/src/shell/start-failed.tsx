import { Button } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconLockOpen, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './page-frame.module.css'

interface StartFailedProps {
  /** `insecure`: the address is neither https nor on this machine. */
  reason: 'insecure' | 'startFailed'
}

/** In place of the console when it cannot start. */
export function StartFailed({ reason }: StartFailedProps) {
  const { t } = useTranslation('shell')
  const again = reason === 'startFailed' && <Button onClick={() => window.location.reload()}>{t('common:tryAgain')}</Button>
  return (
    <main className={styles.middle}>
      <EmptyState
        page
        alert
        icon={reason === 'insecure' ? IconLockOpen : IconPlugConnectedX}
        title={t(`gate.${reason}`)}
        text={t(`gate.${reason}Text`)}
        actions={again}
      />
    </main>
  )
}
