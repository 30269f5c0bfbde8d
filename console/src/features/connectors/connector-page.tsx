import { type Connector, getConnector, updateConnector } from '@instep/contract/connectors.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Page, PageBody } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { IconPencil, IconUpload } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePageTitle } from '../../shared/use-page-title.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { ConnectorAbout } from './connector-about.tsx'
import { ConnectorForm } from './connector-form.tsx'
import styles from './connectors.module.css'
import { GraceSection } from './grace-section.tsx'
import { GuardsSection } from './guards-section.tsx'
import { MatchingSection } from './matching-section.tsx'
import { OpenManagers } from './open-managers.tsx'
import { PeopleBySite } from './people-by-site.tsx'
import { PlacementSection } from './placement-section.tsx'
import { ScimSource } from './scim-source.tsx'
import { SourceFetching } from './source-fetching.tsx'
import { SourceRuns } from './source-runs.tsx'
import { TargetAccounts } from './target-accounts.tsx'
import { TargetAttributes } from './target-attributes.tsx'
import { TargetBanner } from './target-banner.tsx'
import { TargetConformance } from './target-conformance.tsx'
import { TargetDrift } from './target-drift.tsx'
import { TargetGroups } from './target-groups.tsx'
import { TargetPolicySection } from './target-policy-section.tsx'
import { TargetProfile } from './target-profile.tsx'
import { TargetTasks } from './target-tasks.tsx'
import { TargetTestAnswer, TargetTestButton, type TargetTesting, useTargetTest } from './target-test.tsx'
import { WebhookSigning } from './webhook-signing.tsx'

/** One connector: what it is, and what a person can do with it. */
export function ConnectorPage() {
  const { t } = useTranslation(['connectors', 'common', 'explain'])
  const { tenantId } = useScope()
  const { connectorId = '' } = useParams({ strict: false }) as { connectorId?: string }
  const [search, change] = usePageSearch()
  const query = useEndpoint(getConnector, { params: { tenantId, id: connectorId } })
  const connector = query.data
  const refusal = useRefusal().ofCall(updateConnector)
  const test = useTargetTest()
  usePageTitle(connector?.name)
  return (
    <Page>
      <PageHeader
        title={connector?.name ?? t('one')}
        aside={
          connector && <RunMark state={connector.enabled ? 'succeeded' : 'disabled'} word={t(connector.enabled ? 'enabled' : 'disabled')} />
        }
        busy={query.isFetching && !connector}
        actions={
          connector && (
            <>
              {connector.kind === 'target' && connector.definitionId !== 'manual-target' && (
                <TargetTestButton connector={connector} test={test} />
              )}
              {connector.kind === 'source' && (
                <AppLink href={paths.config(connector.id)} className={buttonClass('secondary')}>
                  {t('configuration')}
                </AppLink>
              )}
              <Button icon={IconPencil} disabledReason={refusal} onClick={() => change({ form: 'edit' })}>
                {t('edit')}
              </Button>
              {connector.kind === 'source' && connector.definitionId !== 'manual' && connector.enabled && (
                <AppLink href={paths.explain(connector.id)} className={buttonClass('secondary')}>
                  {t('explain:linkRecord')}
                </AppLink>
              )}
              {connector.definitionId === 'file' && connector.enabled && isUploaded(connector) && (
                <AppLink href={paths.importFile(connector.id)} className={buttonClass('primary')}>
                  <IconUpload size={15} aria-hidden="true" /> {t('import')}
                </AppLink>
              )}
            </>
          )
        }
        ruled
      />
      <PageBody>
        {query.error ? (
          <ProblemNotice error={query.error} onRetry={query.refetch} />
        ) : connector ? (
          <div className={styles.sections}>
            {connector.kind === 'target' ? <TargetSections connector={connector} test={test} /> : <SourceSections connector={connector} />}
          </div>
        ) : (
          <Loader label={t('common:loading')} />
        )}
      </PageBody>
      {connector && (
        <ConnectorForm
          key={connector.id}
          opened={search['form'] === 'edit'}
          connector={connector}
          onClose={() => change({ form: undefined }, { replace: true })}
        />
      )}
    </Page>
  )
}

/** Files are given by hand, not fetched. */
const isUploaded = ({ properties }: Connector): boolean => (properties['delivery'] ?? 'upload') === 'upload'

/** A target, by what an administrator needs first: its state, its accounts, what is in the way, the policy, and last how it is set up. */
function TargetSections({ connector, test }: { connector: Connector; test: TargetTesting }) {
  const { definitionId } = connector
  const speaksScim = definitionId === 'scim' || definitionId === 'workplace'
  return (
    <>
      <div className={styles.state}>
        <TargetBanner connector={connector} />
        <TargetTestAnswer connector={connector} test={test} />
      </div>
      {definitionId === 'manual-target' && <TargetTasks connector={connector} />}
      <TargetAccounts connector={connector} />
      {speaksScim && <TargetDrift connector={connector} />}
      {speaksScim && <TargetGroups connector={connector} />}
      <TargetPolicySection connector={connector} />
      {speaksScim && <TargetAttributes connector={connector} />}
      {speaksScim && <TargetProfile connector={connector} />}
      {speaksScim && <TargetConformance connector={connector} />}
      {definitionId === 'webhook' && <WebhookSigning connector={connector} />}
      <ConnectorAbout connector={connector} />
    </>
  )
}

/** A source, in the same order: its runs and people, then how records become people, its guards, and how it is set up. */
function SourceSections({ connector }: { connector: Connector }) {
  const brought = connector.definitionId !== 'manual'
  return (
    <>
      <SourceRuns connector={connector} />
      {brought && <SourceFetching connector={connector} />}
      <PeopleBySite connector={connector} />
      <OpenManagers connector={connector} />
      {brought && <MatchingSection connector={connector} />}
      {brought && <PlacementSection connector={connector} />}
      {brought && <GuardsSection connector={connector} />}
      {brought && <GraceSection connector={connector} />}
      {connector.definitionId === 'scim-in' && <ScimSource connector={connector} />}
      <ConnectorAbout connector={connector} />
    </>
  )
}
