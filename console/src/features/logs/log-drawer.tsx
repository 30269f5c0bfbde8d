import { type LogEntry, listDirectoryLog } from '@instep/contract/logs.ts'
import { Button } from '@instep/ui/button.tsx'
import { CopyButton } from '@instep/ui/copy-button.tsx'
import { Diff } from '@instep/ui/diff.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { EventBadge } from '@instep/ui/event-badge.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Timeline } from '@instep/ui/timeline.tsx'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './logs.module.css'
import { useEventText } from './use-event-text.ts'

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
        <Entries rows={related.rows} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Drawer>
  )
}

function Entries({ rows }: { rows: readonly LogEntry[] }) {
  const { t } = useTranslation('logs')
  const { instant } = useFormat()
  const text = useEventText()
  const entries = rows.map((row) => ({
    key: row.id,
    time: <bdi className="figures">{instant(row.eventTime)}</bdi>,
    content: (
      <div className={styles.entry}>
        <EventBadge level={row.level} word={row.eventType} />
        <p>{text(row)}</p>
        <p className={styles.by}>{row.modifiedBy}</p>
        <Changes entry={row} />
      </div>
    ),
  }))
  return (
    <div className={styles.entries}>
      <Timeline label={t('related')} entries={entries} />
    </div>
  )
}

const written = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

function Changes({ entry: { before, after } }: { entry: LogEntry }) {
  const { t, i18n } = useTranslation('people')
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (fields.length === 0) return null
  const nameOf = (field: string) => (i18n.exists(`people:fields.${field}`) ? t(`fields.${field}`) : field)
  return (
    <Diff
      changes={fields.map((field) => ({
        key: field,
        label: nameOf(field),
        before: written(before?.[field]),
        after: written(after?.[field]),
      }))}
    />
  )
}
