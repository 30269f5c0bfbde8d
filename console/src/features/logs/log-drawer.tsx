import { listDirectoryLog } from '@instep/contract/logs.ts'
import { Button } from '@instep/ui/button.tsx'
import { CopyButton } from '@instep/ui/copy-button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { LogEntries } from '../../shared/log-entries.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'

interface LogDrawerProps {
  /** Null while closed. */
  correlationId: string | null
  onClose: () => void
}

/** Everything that one request or run caused, newest first, with old and new values. */
export function LogDrawer({ correlationId, onClose }: LogDrawerProps) {
  const { t } = useTranslation(['logs', 'common'])
  const { tenantId } = useScope()
  const related = usePages(listDirectoryLog, {
    key: [tenantId, 'related', correlationId],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: { correlationId: correlationId ?? '', pageSize: 25, ...(continuationToken ? { continuationToken } : {}) },
    }),
    enabled: correlationId !== null,
  })
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
      ) : related.rows ? (
        <LogEntries label={t('related')} rows={related.rows} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Drawer>
  )
}
