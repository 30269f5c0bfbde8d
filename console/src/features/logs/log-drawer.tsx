import { Button } from '@instep/ui/button.tsx'
import { CopyButton } from '@instep/ui/copy-button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { useTranslation } from 'react-i18next'
import { LogEntries } from '../../shared/log-entries.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { type LogSource, useLogEntries } from './log-source.ts'
import styles from './logs.module.css'

interface LogDrawerProps {
  /** The log whose entries are shown. */
  source: LogSource
  /** Null while closed. */
  correlationId: string | null
  onClose: () => void
}

const RELATED = 25

/** What a log tells of one request or run, newest first, with old and new values. Messages are told by the request that sent them. */
export function LogDrawer({ source, correlationId, onClose }: LogDrawerProps) {
  const { t } = useTranslation(['logs', 'common'])
  const id = correlationId ?? ''
  const related = useLogEntries(source, {
    pageSize: RELATED,
    query: source.name === 'messages' ? { requestId: id } : { correlationId: id },
    enabled: correlationId !== null,
  })
  const rows = related.isPlaceholderData ? undefined : related.rows
  return (
    <Drawer
      opened={correlationId !== null}
      onClose={onClose}
      width="logs"
      title={correlationId ?? ''}
      aside={correlationId && <CopyButton text={correlationId} />}
      footer={
        <>
          {related.hasNextPage && (
            <Button busy={related.isFetchingNextPage} onClick={() => related.fetchNextPage()}>
              {t('common:showMore')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common:close')}</Button>
        </>
      }
    >
      {related.error ? (
        <ProblemNotice error={related.error} onRetry={related.refetch} />
      ) : rows ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        <section className={styles.related} aria-label={t('related')} tabIndex={0}>
          <LogEntries label={t('related')} rows={rows} />
        </section>
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Drawer>
  )
}
