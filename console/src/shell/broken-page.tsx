import { Button } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconCloudOff, IconMoodSad } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './page-frame.module.css'

// as Chromium, Firefox, Safari and the bundler's own preload say it
const NOT_LOADED = /dynamically imported module|preload CSS|importing a module script failed/i

interface BrokenPageProps {
  error: unknown
}

/** In place of a page that failed while it was drawn, or of which a part could not be fetched: without a connection, or from a version that is gone. */
export function BrokenPage({ error }: BrokenPageProps) {
  const { t } = useTranslation('shell')
  const notLoaded = error instanceof Error && NOT_LOADED.test(error.message)
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
