import { readSourceRecord } from '@instep/contract/source-record.ts'
import { showSyncedUser, syncUser, type TargetSync } from '@instep/contract/user-sync.ts'
import { getUser } from '@instep/contract/users.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Page, PageBody } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconEye, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { TargetAnswer } from '../../shared/target-answer.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePageTitle } from '../../shared/use-page-title.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './explain.module.css'
import { ExplanationParts } from './explanation-parts.tsx'
import { RecordOrigin } from './record-origin.tsx'

/** One person from the source's record to every target's reply: shown, previewed and brought in step now. */
export function SyncUserPage() {
  const { connectorId = '', userId = '' } = useParams({ strict: false }) as { connectorId?: string; userId?: string }
  const [{ runId }] = usePageSearch()
  // what was answered now is no part of what an earlier sync saw
  return <SyncUser key={runId ?? ''} connectorId={connectorId} userId={userId} runId={runId} />
}

interface SyncUserProps {
  connectorId: string
  userId: string
  /** The sync of several people that is looked back at. */
  runId: string | undefined
}

function SyncUser({ connectorId, userId, runId }: SyncUserProps) {
  const { t } = useTranslation('targets')
  const person = useEndpoint(getUser, { params: { connectorId, id: userId } })
  const seen = useSeen({ connectorId, userId, runId })
  const cache = useQueryClient()
  const refused = useRefusal().ofCall(syncUser)
  const sync = useAction(syncUser, {
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: endpointKey(getUser) })
    },
  })
  const title = t('sync.title', { name: person.data?.displayName ?? '' })
  usePageTitle(title)
  const run = (preview: boolean) => sync.mutate({ params: { connectorId, userId }, query: { preview: preview ? 'true' : 'false' } })
  const previewing = sync.isPending && sync.variables?.query?.preview === 'true'
  // what was read for the answer is newer than what was read for the page
  const record = sync.data?.source ?? seen.record
  const asked = Boolean(sync.data || sync.error)
  const answers = (
    <Answers targets={sync.data?.targets ?? seen.past?.targets ?? undefined} asked={asked} busy={sync.isPending} error={sync.error} />
  )
  return (
    <Page>
      <PageHeader
        title={title}
        busy={sync.isPending || seen.isFetching}
        actions={
          person.data && (
            <>
              <AppLink href={paths.people({ userId, connectorId })} className={buttonClass('secondary')}>
                {t('sync.profile')}
              </AppLink>
              <Button icon={IconEye} busy={previewing} disabledReason={refused} onClick={() => run(true)}>
                {t('sync.preview')}
              </Button>
              <Button
                variant="primary"
                icon={IconRefresh}
                busy={sync.isPending && !previewing}
                disabledReason={refused}
                onClick={() => run(false)}
              >
                {t('sync.apply')}
              </Button>
            </>
          )
        }
        ruled
      />
      <PageBody>
        {person.error ? (
          <ProblemNotice error={person.error} onRetry={person.refetch} />
        ) : record || seen.past ? (
          <>
            {seen.past && !sync.data && (
              <div className={styles.ofRun}>
                {t(`source.of.${seen.past.preview ? 'preview' : 'apply'}`)}{' '}
                <AppLink href={paths.syncUser(connectorId, userId)}>{t('source.again')}</AppLink>
              </div>
            )}
            {record && <RecordOrigin record={record} />}
            {record?.told ? <ExplanationParts told={record.told} answers={answers} /> : <div className={styles.parts}>{answers}</div>}
          </>
        ) : seen.gone ? (
          <EmptyState
            title={t('source.gone')}
            actions={
              <AppLink href={paths.syncUser(connectorId, userId)} className={buttonClass('secondary')}>
                {t('source.again')}
              </AppLink>
            }
          />
        ) : seen.error ? (
          <ProblemNotice error={seen.error} onRetry={seen.refetch} />
        ) : (
          <Loader label={t('sync.reading')} />
        )}
      </PageBody>
    </Page>
  )
}

/** What the source says now; of a sync of several people, what that saw and did. */
const useSeen = ({ connectorId, userId, runId }: SyncUserProps) => {
  const { tenantId } = useScope()
  const once = { staleTime: Number.POSITIVE_INFINITY }
  const now = useEndpoint(readSourceRecord, { params: { connectorId, id: userId } }, { ...once, enabled: !runId })
  const then = useEndpoint(showSyncedUser, { params: { tenantId, runId: runId ?? '', userId } }, { ...once, enabled: Boolean(runId) })
  const { error, refetch, isLoading } = runId ? then : now
  const gone = Boolean(runId) && error instanceof ApiProblem && error.code === 'NOT_FOUND'
  return { record: runId ? then.data?.source : now.data, past: then.data, gone, error, refetch, isFetching: isLoading }
}

interface AnswersProps {
  targets: readonly TargetSync[] | undefined
  /** Whether somebody pressed for them, here and now. */
  asked: boolean
  busy: boolean
  error: Error | null
}

/** The last steps: what each target should hold, what it was asked, and what it replied. */
function Answers({ targets, asked, busy, error }: AnswersProps) {
  const { t } = useTranslation('targets')
  const problemText = useProblemText()
  const said = useRef<HTMLDivElement>(null)
  const answered = asked && !busy
  // the steps before it are long: who asked sees what was answered
  useEffect(() => {
    if (answered) said.current?.closest('section')?.scrollIntoView({ block: 'start' })
  }, [answered])
  return (
    <Section title={t('sync.targets')} hint={t('sync.targetsHint')} ruled>
      <div ref={said} role="status">
        {error ? (
          <Banner tone="danger" boxed>
            <strong>{t('sync.failed')}</strong>
            <div className={styles.said}>{problemText(error)}</div>
          </Banner>
        ) : busy ? (
          <p className={styles.said}>{t('sync.asking')}</p>
        ) : !targets ? (
          <p className={styles.said}>{t('sync.notAsked')}</p>
        ) : targets.length === 0 ? (
          <p className={styles.said}>{t('sync.noTargets')}</p>
        ) : null}
      </div>
      {!busy && targets?.map((target) => <TargetAnswer key={target.targetId} answer={target} />)}
    </Section>
  )
}
