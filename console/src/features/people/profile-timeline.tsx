import { listUserLog, TIMELINE_KINDS, type TimelineKind } from '@instep/contract/logs.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { LogEntries } from '../../shared/log-entries.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import styles from './person.module.css'

const PAGE = 25

/** Everything that happened to the person, newest first. */
export function ProfileTimeline({ person }: { person: Pick<UserDetails, 'id' | 'connectorId' | 'version'> }) {
  const { t } = useTranslation(['profile', 'common'])
  const [kind, setKind] = useState<TimelineKind | 'all'>('all')
  const log = usePages(listUserLog, {
    key: [person.id, kind, person.version],
    inputOf: (continuationToken) => ({
      params: { connectorId: person.connectorId, userId: person.id },
      query: { pageSize: PAGE, ...(continuationToken ? { continuationToken } : {}), ...(kind === 'all' ? {} : { kind }) },
    }),
  })
  return (
    <div className={styles.timeline}>
      <Segmented
        label={t('timeline.filter')}
        value={kind}
        segments={(['all', ...TIMELINE_KINDS] as const).map((value) => ({ value, label: t(`timeline.kinds.${value}`) }))}
        onChange={setKind}
      />
      <p>
        <AppLink href={paths.personLog(person.connectorId, person.id)}>{t('timeline.inLogs')}</AppLink>
      </p>
      {log.error ? (
        <ProblemNotice error={log.error} onRetry={log.refetch} />
      ) : !log.rows ? (
        <Loader label={t('common:loading')} />
      ) : log.rows.length === 0 ? (
        <EmptyState icon={IconHistory} title={t(kind === 'all' ? 'timeline.empty' : 'timeline.noneOfKind')} />
      ) : (
        <LogEntries label={t('tabs.timeline')} rows={log.rows} />
      )}
      {log.hasNextPage && (
        <div>
          <Button busy={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
            {t('common:showMore')}
          </Button>
        </div>
      )}
    </div>
  )
}
