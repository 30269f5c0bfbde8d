import { Button } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconMoodSad } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './page-frame.module.css'

/** In place of a page that failed while it was drawn. */
export function BrokenPage() {
  const { t } = useTranslation('shell')
  return (
    <div className={styles.middle}>
      <EmptyState
        page
        alert
        icon={IconMoodSad}
        title={t('broken.title')}
        text={t('broken.text')}
        actions={<Button onClick={() => window.location.reload()}>{t('broken.reload')}</Button>}
      />
    </div>
  )
}
