import type { Connector } from '@instep/contract/connectors.ts'
import { cancelDrift, type DriftRun, downloadDrift, getDrift, startDrift } from '@instep/contract/drift.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { ProgressBar } from '@instep/ui/progress-bar.tsx'
import { Section } from '@instep/ui/section.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDownload } from '../../api/use-download.ts'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useCauseWords } from '../../shared/use-cause-words.ts'
import { AcceptedDrift } from './accepted-drift.tsx'
import styles from './connectors.module.css'
import { DriftFindings } from './drift-findings.tsx'
import { DriftSchedule } from './drift-schedule.tsx'

const GOING_MS = 1_000
const RESTING_MS = 30_000

const goesOn = (run: DriftRun | undefined): boolean => run?.state === 'queued' || run?.state === 'running'

/** What is at the target and not as it was applied: read back now or by a schedule, and decided one by one or together. */
export function TargetDrift({ connector }: { connector: Connector }) {
  const { t } = useTranslation('targets')
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const params = { tenantId, id: connector.id }
  const [going, setGoing] = useState(false)
  const query = useEndpoint(getDrift, { params }, { refetchInterval: going ? GOING_MS : RESTING_MS })
  const run = query.data?.runs[0]
  if (going !== goesOn(run)) setGoing(goesOn(run))
  const start = useAction(startDrift, {
    onSuccess: () => cache.invalidateQueries({ queryKey: endpointKey(getDrift) }),
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  return (
    <Section
      title={t('drift.title')}
      hint={t('drift.hint')}
      actions={
        <Button
          icon={IconRefresh}
          busy={start.isPending}
          disabledReason={goesOn(run) ? t('drift.underWay') : connector.enabled ? undefined : t('drift.disabled')}
          onClick={() => start.mutate({ params })}
        >
          {t('drift.start')}
        </Button>
      }
    >
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {run && <NewestRun connector={connector} run={run} />}
      {query.data && !run && <p className={styles.muted}>{t('drift.never')}</p>}
      <AcceptedDrift connector={connector} />
      {query.data && (
        <DriftSchedule
          key={JSON.stringify(query.data.settings)}
          connector={connector}
          start={query.data.settings}
          nextAt={query.data.nextAt}
        />
      )}
    </Section>
  )
}

function NewestRun({ connector, run }: { connector: Connector; run: DriftRun }) {
  const { t } = useTranslation('targets')
  const { number, instant } = useFormat()
  const causeWords = useCauseWords()
  if (goesOn(run)) return <Going connector={connector} run={run} />
  const when = instant(run.finishedAt ?? run.createdAt)
  if (run.state === 'failed')
    return (
      <Banner tone="danger" boxed>
        <strong>{t('drift.failed', { when })}</strong> {run.failure && causeWords(run.failure.code)}
        {run.failure?.detail && <div className={styles.wrap}>{run.failure.detail}</div>}
      </Banner>
    )
  if (run.state !== 'succeeded') return <p className={styles.muted}>{t('drift.cancelled', { when })}</p>
  const found = run.changed + run.missing + run.unknown
  return (
    <>
      <div className={styles.read}>
        <p className={styles.muted}>
          {t('drift.read', {
            when,
            by: run.began === 'schedule' ? t('drift.bySchedule') : run.createdBy,
            count: run.listed,
            amount: number(run.listed),
          })}
          {run.putBack > 0 && ` ${t('drift.putBackItself', { count: run.putBack, amount: number(run.putBack) })}`}
        </p>
        {found > 0 && <Report connector={connector} run={run} />}
      </div>
      {run.held && (
        <Banner tone="warn" boxed>
          {t(
            `drift.held.${run.held.code}`,
            Object.fromEntries(Object.entries(run.held.params).map(([name, value]) => [name, number(value)])),
          )}
        </Banner>
      )}
      {found === 0 ? <p>{t('drift.nothing')}</p> : <DriftFindings connector={connector} run={run} />}
    </>
  )
}

function Going({ connector, run }: { connector: Connector; run: DriftRun }) {
  const { t } = useTranslation(['targets', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const cancel = useAction(cancelDrift, {
    onSuccess: () => cache.invalidateQueries({ queryKey: endpointKey(getDrift) }),
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  const words =
    run.total === null
      ? t('drift.starting')
      : t('drift.going', { done: number(run.listed), amount: number(run.total), found: number(run.changed + run.unknown) })
  return (
    <div className={styles.test}>
      <span>{words}</span>
      <ProgressBar label={t('drift.progress')} share={run.total ? Math.min(1, run.listed / run.total) : 0} />
      <Button busy={cancel.isPending} onClick={() => cancel.mutate({ params: { tenantId, id: connector.id, runId: run.id } })}>
        {t('common:cancel')}
      </Button>
    </div>
  )
}

function Report({ connector, run }: { connector: Connector; run: DriftRun }) {
  const { t } = useTranslation('targets')
  const { tenantId } = useScope()
  const { download, busy } = useDownload(downloadDrift)
  return (
    <Button
      icon={IconDownload}
      busy={busy}
      onClick={() => download({ params: { tenantId, id: connector.id, runId: run.id } }, 'drift.csv')}
    >
      {t('drift.download')}
    </Button>
  )
}
