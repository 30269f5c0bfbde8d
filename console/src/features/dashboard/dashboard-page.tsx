import { type Connector, listConnectors } from '@instep/contract/connectors.ts'
import { getOverview, type Overview } from '@instep/contract/dashboard.ts'
import { isTenantLevel } from '@instep/contract/roles.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { buttonClass } from '@instep/ui/button.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { FigureStrip } from '@instep/ui/figure-strip.tsx'
import { KeyFigure, keyFigureValue } from '@instep/ui/key-figure.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Page, PageBody } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { RankedList } from '@instep/ui/ranked-list.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './dashboard.module.css'
import { HeldDates } from './held-dates.tsx'
import { LastRuns } from './last-runs.tsx'

const FIGURES = ['active', 'claimed', 'notClaimed', 'notInvited', 'inactive'] as const
const REFRESH_MS = 30_000

/** What needs eyes today: people by status, held runs, the past five syncs, and where people are. */
export function DashboardPage() {
  const { t } = useTranslation(['dashboard', 'common'])
  const { tenantId, siteId, site } = useScope()
  const query = useEndpoint(getOverview, { params: { tenantId }, query: siteId ? { siteId } : {} }, { refetchInterval: REFRESH_MS })
  return (
    <Page>
      <PageHeader title={t('title')} aside={site?.name} busy={query.isFetching && !query.data} />
      <PageBody>
        {query.error && !query.data ? (
          <ProblemNotice error={query.error} onRetry={query.refetch} />
        ) : query.data ? (
          <Content overview={query.data} />
        ) : (
          <Loader label={t('common:loading')} />
        )}
      </PageBody>
    </Page>
  )
}

function Content({ overview }: { overview: Overview }) {
  const { t } = useTranslation('dashboard')
  return (
    <>
      {overview.heldRuns && overview.heldRuns.length > 0 && (
        <div className={styles.held}>
          {overview.heldRuns.map((run) => (
            <Banner
              key={run.id}
              tone="warn"
              boxed
              actions={
                <AppLink href={paths.run(run.id)} className={buttonClass('secondary')}>
                  {t('held.decide')}
                </AppLink>
              }
            >
              {t('held.text', { connector: run.connectorName, file: run.fileName ?? '' })}
            </Banner>
          ))}
        </div>
      )}
      {overview.heldDates && <HeldDates holds={overview.heldDates} />}
      {overview.sources && overview.sources.length > 0 && <Sources sources={overview.sources} />}
      <Figures people={overview.people} />
      {overview.people.all.value === 0 && <Nobody />}
      <div className={styles.columns}>
        {overview.lastRuns && overview.lastRuns.length > 0 && <LastRuns runs={overview.lastRuns} />}
        <Rankings overview={overview} />
      </div>
    </>
  )
}

function Sources({ sources }: { sources: NonNullable<Overview['sources']> }) {
  const { t } = useTranslation('dashboard')
  return (
    <div className={styles.held}>
      {sources.map(({ connectorId, name, trouble }) => (
        <Banner
          key={connectorId}
          tone="warn"
          boxed
          actions={
            <AppLink href={paths.connector(connectorId)} className={buttonClass('secondary')}>
              {t('held.decide')}
            </AppLink>
          }
        >
          {t(`sources.${trouble}`, { name })}
        </Banner>
      ))}
    </div>
  )
}

function Figures({ people }: { people: Overview['people'] }) {
  const { t } = useTranslation(['dashboard', 'common'])
  const { siteId } = useScope()
  const { number } = useFormat()
  return (
    <FigureStrip>
      {FIGURES.map((status) => (
        <KeyFigure
          key={status}
          label={t(`figures.${status}`)}
          value={
            <AppLink href={paths.people({ siteId, status })} className={keyFigureValue}>
              <bdi>{number(people[status].value)}</bdi>
            </AppLink>
          }
          note={people[status].exact ? undefined : t('about')}
        />
      ))}
    </FigureStrip>
  )
}

const takesFiles = ({ definitionId, enabled, properties }: Connector): boolean =>
  definitionId === 'file' && enabled && (properties['delivery'] ?? 'upload') === 'upload'

function Nobody() {
  const { t } = useTranslation('dashboard')
  const { me, tenantId, siteId } = useScope()
  const mayImport = isTenantLevel(me.roles) && !siteId
  const connectors = useEndpoint(listConnectors, { params: { tenantId } }, { enabled: mayImport })
  const given = connectors.data?.data.filter(takesFiles) ?? []
  const only = given.length === 1 ? given[0] : undefined
  return (
    <EmptyState
      icon={IconUsers}
      title={t('nobody.title')}
      text={mayImport ? t(only ? 'nobody.give' : 'nobody.import') : t('nobody.here')}
      actions={
        mayImport && (
          <AppLink href={only ? paths.importFile(only.id) : paths.connectors()} className={buttonClass('primary')}>
            {t('nobody.action')}
          </AppLink>
        )
      }
    />
  )
}

function Rankings({ overview }: { overview: Overview }) {
  const { t } = useTranslation('dashboard')
  const { number } = useFormat()
  const lists = (['departments', 'titles', 'locations'] as const).filter((list) => overview[list].length > 0)
  if (lists.length === 0) return null
  return (
    <div className={styles.rankings}>
      {lists.map((list) => (
        <Section key={list} title={t(`rankings.${list}`)}>
          <RankedList rows={overview[list].map(({ name, count }) => ({ name, count, shown: number(count) }))} />
        </Section>
      ))}
    </div>
  )
}
