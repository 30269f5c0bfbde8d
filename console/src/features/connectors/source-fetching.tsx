import type { Connector } from '@instep/contract/connectors.ts'
import { fetchNow, getSourceState, type SourceState, sampleSource, testSource } from '@instep/contract/sources.ts'
import { listRuns } from '@instep/contract/sync.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { FieldSection, ShownField } from '@instep/ui/field-section.tsx'
import { IconPlayerPlay, IconPlugConnected, IconTable } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useGo } from '../../shared/use-go.ts'
import styles from './connectors.module.css'
import { SourceSchedule } from './source-schedule.tsx'

const REFRESH_MS = 10_000

/** A source that is fetched: how it fares, what can be done with it, and when it is fetched by itself. Nothing for one that files are uploaded to. */
export function SourceFetching({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const query = useEndpoint(getSourceState, { params: { connectorId: connector.id } }, { refetchInterval: REFRESH_MS })
  if (query.error && !query.data) return <ProblemNotice error={query.error} onRetry={query.refetch} />
  if (!query.data?.fetched) return null
  return (
    <>
      <Troubles state={query.data} />
      <FieldSection level={2} title={t('fetching.title')} hint={t(query.data.lastDataAt ? 'fetching.hint' : 'fetching.begin')}>
        <StateFields state={query.data} />
      </FieldSection>
      {connector.enabled && <Actions connector={connector} />}
      <SourceSchedule connector={connector} automaticOffered={query.data.automaticOffered} />
    </>
  )
}

function Troubles({ state }: { state: SourceState }) {
  const { t } = useTranslation(['connectors', 'problems', 'common'])
  const { instant, date } = useFormat()
  const { silentSince, lastError, lastDataAt, credentials } = state
  return (
    <div className={styles.troubles}>
      {silentSince && (
        <Banner tone="danger" boxed>
          {lastDataAt ? t('fetching.silent', { since: instant(lastDataAt) }) : t('fetching.silentEver')}
        </Banner>
      )}
      {lastError && (
        <Banner tone="danger" boxed>
          {t('fetching.failed', { why: t(`problems:${lastError.code}`, { ...lastError.params, defaultValue: t('common:error500') }) })}
        </Banner>
      )}
      {credentials && (
        <Banner tone={credentials.daysLeft < 0 ? 'danger' : 'warn'} boxed>
          {credentials.daysLeft < 0
            ? t('fetching.expired', { date: date(credentials.expireOn) })
            : t('fetching.expiring', { date: date(credentials.expireOn), count: credentials.daysLeft })}
        </Banner>
      )}
    </div>
  )
}

function StateFields({ state }: { state: SourceState }) {
  const { t } = useTranslation('connectors')
  const { instant } = useFormat()
  const at = (time: string | null) => (time ? <bdi>{instant(time)}</bdi> : t('fetching.never'))
  return (
    <>
      <ShownField label={t('fetching.lastFetch')} value={at(state.lastFetchAt)} />
      <ShownField label={t('fetching.lastData')} value={at(state.lastDataAt)} />
      {state.hostKey && (
        <ShownField label={t('fetching.hostKey')} value={<bdi className={`mono ${styles.value}`}>{state.hostKey}</bdi>} wide />
      )}
    </>
  )
}

function Actions({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const go = useGo()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const params = { connectorId: connector.id }
  const refresh = () => cache.invalidateQueries({ queryKey: endpointKey(getSourceState) })
  const test = useAction(testSource, { onSuccess: refresh })
  const sample = useAction(sampleSource, { onSuccess: ({ id }) => go(paths.importFile(connector.id, id)) })
  const run = useAction(fetchNow, {
    onSuccess: ({ id }) => {
      refresh()
      cache.invalidateQueries({ queryKey: endpointKey(listRuns) })
      go(paths.run(id))
    },
  })
  const failure = sample.error ?? run.error
  return (
    <div className={`${styles.test} ${styles.fetching}`}>
      <div className={styles.buttons}>
        <Button icon={IconPlugConnected} busy={test.isPending} onClick={() => test.mutate({ params, body: {} })}>
          {t('test.action')}
        </Button>
        <Button icon={IconTable} busy={sample.isPending} onClick={() => sample.mutate({ params })}>
          {t('fetching.sample')}
        </Button>
        <Button icon={IconPlayerPlay} busy={run.isPending} onClick={() => run.mutate({ params, body: {} })}>
          {t('fetching.run')}
        </Button>
        <Button variant="quiet" onClick={() => run.mutate({ params, body: { dryRun: true } })}>
          {t('fetching.dryRun')}
        </Button>
      </div>
      {test.data && <Found found={test.data.found} hostKey={test.data.hostKey} />}
      {test.error && (
        <Banner
          tone={problemCode(test.error) === 'SOURCE_HOST_KEY_UNKNOWN' ? 'warn' : 'danger'}
          boxed
          alert
          actions={<TrustKey error={test.error} onTrust={(hostKey) => test.mutate({ params, body: { hostKey } })} />}
        >
          {problemText(test.error)}
        </Banner>
      )}
      {failure && (
        <Banner tone="danger" boxed alert>
          {problemText(failure)}
        </Banner>
      )}
    </div>
  )
}

/** What a test found, in words. */
function Found({
  found,
  hostKey,
}: {
  found: { name: string; size: number | null; modifiedAt: string | null } | null
  hostKey: string | null
}) {
  const { t } = useTranslation('connectors')
  const { bytes, instant } = useFormat()
  const facts = [found?.size ? bytes(found.size) : '', found?.modifiedAt ? instant(found.modifiedAt) : ''].filter(Boolean)
  const words = found && t(facts.length > 0 ? 'fetching.found' : 'fetching.foundName', { name: found.name, facts: facts.join(', ') })
  return (
    <Banner tone={found ? 'ok' : 'warn'} boxed>
      <span>{words ?? t('fetching.foundNothing')}</span>
      {hostKey && <span className={styles.value}>{t('fetching.trusted', { hostKey })}</span>}
    </Banner>
  )
}

const problemCode = (error: unknown): string | undefined => (error instanceof ApiProblem ? error.code : undefined)

const KEY_PROBLEMS: ReadonlySet<string> = new Set(['SOURCE_HOST_KEY_UNKNOWN', 'SOURCE_HOST_KEY_CHANGED'])

/** Offers to trust the key that the server showed; nothing for every other failure. */
function TrustKey({ error, onTrust }: { error: unknown; onTrust: (hostKey: string) => void }) {
  const { t } = useTranslation('connectors')
  const found = error instanceof ApiProblem && KEY_PROBLEMS.has(error.code) ? error.params?.['found'] : undefined
  if (found === undefined) return null
  return <Button onClick={() => onTrust(String(found))}>{t('fetching.trust')}</Button>
}
