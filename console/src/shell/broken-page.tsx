import { Button } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconCloudOff, IconMoodSad } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isNotLoaded } from './not-loaded.ts'
import styles from './page-frame.module.css'

interface BrokenPageProps {
  error: unknown
}

/** In place of a page that failed while it was drawn, or of which a part could not be fetched: without a connection, or from a version that is gone. */
export function BrokenPage({ error }: BrokenPageProps) {
  const { t } = useTranslation('shell')
  const notLoaded = isNotLoaded(error)
  return (
    <div className={styles.middle}>
      <EmptyState
        page
        alert
        icon={notLoaded ? IconCloudOff : IconMoodSad}
        title={t(notLoaded ? 'broken.notLoaded' : 'broken.title')}
        text={t(notLoaded ? 'broken.notLoadedText' : 'broken.text')}
        actions={<Button onClick={() => window.location.reload()}>{t('broken.reload')}</Button>}
      />
    </div>
  )
}
