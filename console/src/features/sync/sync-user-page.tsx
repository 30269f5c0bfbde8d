import { type Explanation, explainUser } from '@instep/contract/explain.ts'
import { syncUser, type TargetSync } from '@instep/contract/user-sync.ts'
import { getUser } from '@instep/contract/users.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button, buttonClass } from '@instep/ui/button.tsx'
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
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { TargetAnswer } from '../../shared/target-answer.tsx'
import { usePageTitle } from '../../shared/use-page-title.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './explain.module.css'
import { ExplanationParts } from './explanation-parts.tsx'

/** One person from the source's record to every target's reply: shown, previewed and brought in step now. */
export function SyncUserPage() {
  const { t } = useTranslation('targets')
  const { connectorId = '', userId = '' } = useParams({ strict: false }) as { connectorId?: string; userId?: string }
  const person = useEndpoint(getUser, { params: { connectorId, id: userId } })
  const told = useEndpoint(explainUser, { params: { connectorId, id: userId } })
  const cache = useQueryClient()
  const refused = useRefusal().ofCall(syncUser)
  const sync = useAction(syncUser, {
    onSuccess: () => {
      for (const endpoint of [explainUser, getUser]) void cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
    },
  })
  const title = t('sync.title', { name: person.data?.displayName ?? '' })
  usePageTitle(title)
  const run = (preview: boolean) => sync.mutate({ params: { connectorId, userId }, query: { preview: preview ? 'true' : 'false' } })
  const previewing = sync.isPending && sync.variables?.query?.preview === 'true'
  const unread = told.error instanceof ApiProblem && told.error.status === 404
  const answers = <Answers targets={sync.data?.targets} busy={sync.isPending} error={sync.error} />
  return (
    <Page>
      <PageHeader
        title={title}
        busy={sync.isPending || (told.isFetching && !told.data)}
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
        ) : told.data ? (
          <>
            <AsOf told={told.data} />
            <ExplanationParts told={told.data} answers={answers} />
          </>
        ) : unread ? (
          <div className={styles.parts}>
            <p className={styles.said}>{t('sync.unread')}</p>
            {answers}
          </div>
        ) : told.error ? (
          <ProblemNotice error={told.error} onRetry={told.refetch} />
        ) : (
          <Loader label={t('sync.loading')} />
        )}
      </PageBody>
    </Page>
  )
}

/** Which run the record, its match and its values come from, and when; what the source says since is not in them. */
function AsOf({ told: { run } }: { told: Explanation }) {
  const { t } = useTranslation('targets')
  const { instant } = useFormat()
  if (!run) return null
  return (
    <p className={styles.said}>
      {t('sync.asOf', { time: instant(run.createdAt), by: run.createdBy })} <AppLink href={paths.run(run.id)}>{t('sync.toRun')}</AppLink>
    </p>
  )
}

interface AnswersProps {
  targets: readonly TargetSync[] | undefined
  busy: boolean
  error: Error | null
}

/** The last steps: what each target should hold, what it was asked, and what it replied. */
function Answers({ targets, busy, error }: AnswersProps) {
  const { t } = useTranslation('targets')
  const problemText = useProblemText()
  const said = useRef<HTMLDivElement>(null)
  const answered = !busy && Boolean(targets || error)
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
