import { getCase, listCases, type MatchCaseDetail } from '@instep/contract/match-cases.ts'
import { buttonClass } from '@instep/ui/button.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Page, PageBody } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { Section } from '@instep/ui/section.tsx'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageTitle } from '../../shared/use-page-title.ts'
import { CaseAnswer } from './case-answer.tsx'
import { CaseComparison } from './case-comparison.tsx'
import styles from './cases.module.css'
import { useAnswer } from './use-answer.ts'

/** One case: the record and the people it may be, side by side, and what to answer. */
export function CasePage() {
  const { t } = useTranslation(['cases', 'common'])
  const { tenantId } = useScope()
  const { caseId = '' } = useParams({ strict: false }) as { caseId?: string }
  const query = useEndpoint(getCase, { params: { tenantId, caseId } })
  const found = query.data
  usePageTitle(found?.displayName)
  return (
    <Page>
      <PageHeader
        title={found?.displayName || t('one')}
        aside={found && t(`states.${found.state}`)}
        busy={query.isFetching && !found}
        actions={<NextCase caseId={caseId} />}
        ruled
      />
      <PageBody>
        {query.error ? (
          <ProblemNotice error={query.error} onRetry={query.refetch} />
        ) : found ? (
          <Content key={found.id} found={found} />
        ) : (
          <Loader label={t('common:loading')} />
        )}
      </PageBody>
    </Page>
  )
}

/** The oldest open case but this one. */
function NextCase({ caseId }: { caseId: string }) {
  const { t } = useTranslation('cases')
  const { tenantId } = useScope()
  const open = useEndpoint(listCases, { params: { tenantId }, query: { pageSize: 2 } })
  const next = open.data?.data.find(({ id }) => id !== caseId)
  return (
    <AppLink href={next ? paths.case(next.id) : paths.cases()} className={buttonClass('secondary')}>
      {next ? t('next') : t('toList')}
    </AppLink>
  )
}

function Content({ found }: { found: MatchCaseDetail }) {
  const { t } = useTranslation('cases')
  const { instant } = useFormat()
  const answering = useAnswer(found.id)
  return (
    <>
      <div className={styles.top}>
        <p className={styles.question}>{t(`questions.${found.kind}`)}</p>
        <p className={styles.muted}>
          {t('from', { connector: found.connectorName, row: found.rowNumber, time: instant(found.openedAt) })}{' '}
          <AppLink href={paths.run(found.runId)}>{t('toRun')}</AppLink>
        </p>
        <CaseAnswer found={found} answering={answering} />
      </div>
      <CaseComparison found={found} answering={answering} />
      <Section title={t('raw')} hint={t('rawHint')} ruled>
        <dl className={styles.raw}>
          {found.raw.map(({ column, text }) => (
            <div key={column}>
              <dt>
                <bdi>{column}</bdi>
              </dt>
              <dd>
                <bdi>{text || '–'}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  )
}
