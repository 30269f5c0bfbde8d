import { type Connector, getConnector, getConnectorStats } from '@instep/contract/connectors.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { FieldSection, ShownField } from '@instep/ui/field-section.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Page, PageBody } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { IconPencil, IconUpload } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePageTitle } from '../../shared/use-page-title.ts'
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
import { TargetTest } from './target-test.tsx'
import { WebhookSigning } from './webhook-signing.tsx'

/** One connector: what it is, and what a person can do with it. */
export function ConnectorPage() {
  const { t } = useTranslation(['connectors', 'common', 'explain'])
  const { tenantId } = useScope()
  const { connectorId = '' } = useParams({ strict: false }) as { connectorId?: string }
  const [search, change] = usePageSearch()
  const query = useEndpoint(getConnector, { params: { tenantId, id: connectorId } })
  const connector = query.data
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
              {connector.kind === 'source' && (
                <AppLink href={paths.config(connector.id)} className={buttonClass('secondary')}>
                  {t('configuration')}
                </AppLink>
              )}
              <Button icon={IconPencil} onClick={() => change({ form: 'edit' })}>
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
          <Content connector={connector} />
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

function Content({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { date } = useFormat()
  const target = connector.kind === 'target'
  const speaksScim = connector.definitionId === 'scim' || connector.definitionId === 'workplace'
  return (
    <>
      {target && <TargetBanner connector={connector} />}
      <FieldSection level={2} title={t('about')} hint={t(`definitions.${connector.definitionId}.about`)}>
        <ShownField label={t('columns.kind')} value={t(`kinds.${connector.kind}`)} />
        <ShownField label={t('columns.definition')} value={t(`definitions.${connector.definitionId}.name`)} />
        {!target && <SourcePeople connector={connector} />}
        {Object.entries(connector.properties)
          .filter(([name]) => name !== 'ingestion-type')
          .map(([name, value]) => (
            <ShownField
              key={name}
              label={t(`properties.${name}.label`, { defaultValue: name })}
              value={<PropertyShown name={name} value={value} />}
            />
          ))}
        {connector.secretsSet.map((name) => (
          <ShownField key={name} label={t(`properties.${name}.label`, { defaultValue: name })} value={t('secretKept')} />
        ))}
        <ShownField label={t('columns.created')} value={<bdi>{date(connector.createdAt.slice(0, 10))}</bdi>} />
      </FieldSection>
      {target && connector.definitionId !== 'manual-target' && <TargetTest connector={connector} />}
      {connector.definitionId === 'webhook' && <WebhookSigning connector={connector} />}
      {connector.definitionId === 'manual-target' && <TargetTasks connector={connector} />}
      {target && <TargetPolicySection connector={connector} />}
      {speaksScim && <TargetProfile connector={connector} />}
      {speaksScim && <TargetConformance connector={connector} />}
      {speaksScim && <TargetAttributes connector={connector} />}
      {!target && connector.definitionId !== 'manual' && <SourceFetching connector={connector} />}
      {connector.definitionId === 'scim-in' && <ScimSource connector={connector} />}
      {!target && <PeopleBySite connector={connector} />}
      {!target && <OpenManagers connector={connector} />}
      {!target && connector.definitionId !== 'manual' && <MatchingSection connector={connector} />}
      {!target && connector.definitionId !== 'manual' && <PlacementSection connector={connector} />}
      {!target && connector.definitionId !== 'manual' && <GuardsSection connector={connector} />}
      {!target && connector.definitionId !== 'manual' && <GraceSection connector={connector} />}
      {target ? <TargetAccounts connector={connector} /> : <SourceRuns connector={connector} />}
      {speaksScim && <TargetGroups connector={connector} />}
      {target && <TargetDrift connector={connector} />}
    </>
  )
}

function PropertyShown({ name, value }: { name: string; value: unknown }) {
  const { t } = useTranslation(['connectors', 'common'])
  if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no')
  const text = String(value ?? '')
  return <bdi className={styles.value}>{t(`properties.${name}.choices.${text.replaceAll(/[.:]/g, '')}`, { defaultValue: text })}</bdi>
}

function SourcePeople({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { number, instant } = useFormat()
  const stats = useEndpoint(getConnectorStats, { params: { id: connector.id } })
  const words =
    stats.data && t(stats.data.exact ? 'asAt' : 'aboutAsAt', { amount: number(stats.data.totalUsers), instant: instant(stats.data.asAt) })
  return <ShownField label={t('people')} value={stats.data ? <bdi>{words}</bdi> : null} />
}
