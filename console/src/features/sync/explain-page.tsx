import { type Explanation, explainRun, explainUser } from '@instep/contract/explain.ts'
import { buttonClass } from '@instep/ui/button.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Page, PageBody } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePageTitle } from '../../shared/use-page-title.ts'
import { ExplanationParts } from './explanation-parts.tsx'
import { PastedRecord } from './pasted-record.tsx'

/** Why somebody did or did not change; without somebody named, what would happen to a record pasted in. */
export function ExplainPage() {
  const { t } = useTranslation('explain')
  const { connectorId = '' } = useParams({ strict: false }) as { connectorId?: string }
  const [{ userId, runId, row }] = usePageSearch()
  const named = Boolean(userId || row)
  const query = useExplanation({ connectorId, userId, runId, row })
  const [pasted, setPasted] = useState<Explanation>()
  // back from somebody whom the address named, nothing is pasted any more
  if (pasted && named) setPasted(undefined)
  const told = named ? query.data : pasted
  const name = told?.match.person?.displayName ?? told?.record.key ?? undefined
  const title = named ? t('title', { name: name ?? '' }) : t('would')
  usePageTitle(title)
  return (
    <Page>
      <PageHeader title={title} busy={named && query.isFetching && !told} actions={told && <Links told={told} />} ruled />
      <PageBody>
        {!named && <PastedRecord connectorId={connectorId} onTold={setPasted} />}
        {named && query.error ? (
          <ProblemNotice error={query.error} onRetry={query.refetch} />
        ) : told ? (
          <ExplanationParts told={told} />
        ) : (
          named && <Loader label={t('loading')} />
        )}
      </PageBody>
    </Page>
  )
}

interface Asked {
  connectorId: string
  userId: string | undefined
  runId: string | undefined
  row: string | undefined
}

const useExplanation = ({ connectorId, userId, runId, row }: Asked) => {
  const { tenantId } = useScope()
  const ofRun = useEndpoint(
    explainRun,
    { params: { tenantId, runId: runId ?? '' }, query: { userId, rowNumber: row ? Number(row) : undefined } },
    { enabled: Boolean(runId && (userId || row)) },
  )
  const newest = useEndpoint(explainUser, { params: { connectorId, id: userId ?? '' } }, { enabled: Boolean(userId && !runId) })
  return runId ? ofRun : newest
}

function Links({ told }: { told: Explanation }) {
  const { t } = useTranslation('explain')
  const { person } = told.match
  return (
    <>
      {person && (
        <AppLink href={paths.people({ userId: person.id, connectorId: person.connectorId })} className={buttonClass('secondary')}>
          {t('profile')}
        </AppLink>
      )}
      {told.run && (
        <AppLink href={paths.run(told.run.id)} className={buttonClass('secondary')}>
          {t('run')}
        </AppLink>
      )}
    </>
  )
}
