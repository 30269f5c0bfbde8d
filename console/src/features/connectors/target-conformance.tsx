import {
  CONFORMANCE_CHECKS,
  type ConformanceResult,
  type ConformanceRun,
  cancelConformance,
  getConformance,
  startConformance,
} from '@instep/contract/conformance.ts'
import type { Connector } from '@instep/contract/connectors.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { ProgressBar } from '@instep/ui/progress-bar.tsx'
import { Section } from '@instep/ui/section.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconCheck, IconFlask, IconQuestionMark, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { RunStateMark } from '../../shared/run-state-mark.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './scim-target.module.css'
import { TargetDiscovery } from './target-discovery.tsx'

const REFRESH_MS = 1000
const MARKS = {
  yes: { icon: IconCheck, tone: 'ok' },
  no: { icon: IconX, tone: 'danger' },
  unknown: { icon: IconQuestionMark, tone: 'idle' },
} as const

const isUnderWay = (run: ConformanceRun | null | undefined): boolean => run?.state === 'queued' || run?.state === 'running'

/** Tries what a target supports with a throw-away account, and tells what was found. */
export function TargetConformance({ connector }: { connector: Connector }) {
  const { t } = useTranslation('scim-target')
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refusal = useRefusal().ofCall(startConformance)
  const params = { tenantId, id: connector.id }
  const key = endpointKey(getConformance, { params })
  const known = cache.getQueryData<{ run: ConformanceRun | null }>(key)
  const query = useEndpoint(getConformance, { params }, { refetchInterval: isUnderWay(known?.run) ? REFRESH_MS : false })
  const start = useAction(startConformance, { onSuccess: (run) => cache.setQueryData(key, { run }) })
  const cancel = useAction(cancelConformance, {
    onSuccess: (run) => {
      cache.setQueryData(key, { run })
      if (isUnderWay(run)) showToast({ kind: 'done', text: t('conformance.cancelling') })
    },
  })
  const error = start.error ?? cancel.error
  const run = query.data?.run
  return (
    <Section
      title={t('conformance.title')}
      hint={t('conformance.hint')}
      actions={
        <>
          {isUnderWay(run) && (
            <Button busy={cancel.isPending} disabledReason={refusal} onClick={() => cancel.mutate({ params })}>
              {t('conformance.cancel')}
            </Button>
          )}
          <Button
            icon={IconFlask}
            busy={start.isPending || isUnderWay(run)}
            disabledReason={refusal}
            onClick={() => start.mutate({ params })}
          >
            {t('conformance.start')}
          </Button>
        </>
      }
    >
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {error && (
        <p role="alert" className={styles.problem}>
          {problemText(error)}
        </p>
      )}
      {query.data && !run && <p className={styles.muted}>{t('conformance.never')}</p>}
      {run && <Found run={run} />}
    </Section>
  )
}

function Found({ run }: { run: ConformanceRun }) {
  const { t } = useTranslation('scim-target')
  const { instant } = useFormat()
  return (
    <div className={styles.found}>
      <p className={styles.stand} aria-live="polite">
        <RunStateMark run={{ state: run.state, stages: [], trial: false }} />{' '}
        <bdi>{t('conformance.by', { name: run.startedBy, instant: instant(run.createdAt) })}</bdi>
      </p>
      {isUnderWay(run) && <ProgressBar label={t('conformance.progress')} share={run.results.length / CONFORMANCE_CHECKS.length} />}
      {run.failure && (
        <Banner tone="danger" boxed alert>
          {t('conformance.failed', { detail: run.failure })}
        </Banner>
      )}
      {run.leftOvers.length > 0 && <LeftOvers run={run} />}
      {run.fitting && <Fitting fitting={run.fitting} />}
      {run.results.length > 0 && <Results results={run.results} />}
      {run.discovery && <TargetDiscovery discovery={run.discovery} />}
    </div>
  )
}

function LeftOvers({ run: { leftOvers, userName } }: { run: ConformanceRun }) {
  const { t } = useTranslation('scim-target')
  return (
    <Banner tone="warn" boxed>
      <strong>{t('conformance.leftOvers', { count: leftOvers.length })}</strong>
      <ul className={styles.list}>
        {leftOvers.map(({ remoteId, active }) => (
          <li key={remoteId}>
            <bdi className="mono">{userName}</bdi> (<bdi className="mono">{remoteId}</bdi>):{' '}
            {t(active ? 'conformance.leftOn' : 'conformance.leftOff')}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

function Fitting({ fitting: { profile, settings } }: { fitting: NonNullable<ConformanceRun['fitting']> }) {
  const { t } = useTranslation(['scim-target', 'connectors'])
  const differing = Object.entries(settings)
  return (
    <div>
      <p className={styles.line}>{t('conformance.fits', { profile: t(`connectors:properties.profile.choices.${profile}`) })}</p>
      {differing.length > 0 && (
        <>
          <p className={styles.line}>{t('conformance.butSet')}</p>
          <ul className={styles.list}>
            {differing.map(([name, value]) => (
              <li key={name}>
                {t(`connectors:properties.${name}.label`)}: {t(`connectors:properties.${name}.choices.${value}`)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Results({ results }: { results: readonly ConformanceResult[] }) {
  const { t } = useTranslation('scim-target')
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('conformance.columns.check')}</th>
          <th scope="col">{t('conformance.columns.outcome')}</th>
          <th scope="col">{t('conformance.columns.detail')}</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ check, outcome, detail }) => (
          <tr key={check}>
            <th scope="row">{t(`checks.${check}`)}</th>
            <td>
              <IconMark {...MARKS[outcome]} label={t(`outcomes.${outcome}`)} showLabel />
            </td>
            <td>
              <bdi className={styles.detail}>{detail ?? ''}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
