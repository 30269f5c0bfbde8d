import { getConnector } from '@instep/contract/connectors.ts'
import { Loader } from '@instep/ui/loader.tsx'
import { Page, PageBody } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePageTitle } from '../../shared/use-page-title.ts'
import { MappingStep } from './mapping-step.tsx'
import { UploadStep } from './upload-step.tsx'

/** Bring people in: give a file, say which column is what, and see the plan. The address keeps the file, so a reload loses nothing. */
export function ImportPage() {
  const { t } = useTranslation(['sync', 'common'])
  const { tenantId } = useScope()
  const { connectorId = '' } = useParams({ strict: false }) as { connectorId?: string }
  const [search, change] = usePageSearch()
  const connector = useEndpoint(getConnector, { params: { tenantId, id: connectorId } })
  usePageTitle(connector.data && t('import.title', { connector: connector.data.name }))
  const fileId = search['file']
  return (
    <Page>
      <PageHeader title={t('import.heading')} aside={connector.data?.name} busy={connector.isFetching} ruled />
      <PageBody>
        {connector.error ? (
          <ProblemNotice error={connector.error} onRetry={connector.refetch} />
        ) : !connector.data ? (
          <Loader label={t('common:loading')} />
        ) : fileId ? (
          <MappingStep key={fileId} connectorId={connectorId} fileId={fileId} onOtherFile={() => change({ file: undefined })} />
        ) : (
          <UploadStep connectorId={connectorId} onUploaded={(file) => change({ file })} />
        )}
      </PageBody>
    </Page>
  )
}
