import { getOverview } from '@instep/contract/dashboard.ts'
import { getPlanBreakdown } from '@instep/contract/plan-breakdown.ts'
import { listRunFailures } from '@instep/contract/run-failures.ts'
import { getRun, listRuns, type Run, watchRun } from '@instep/contract/sync.ts'
import { buttonClass } from '@instep/ui/button.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { endpointKey, useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { RunStateMark } from '../../shared/run-state-mark.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageTitle } from '../../shared/use-page-title.ts'
import { useRunSubject } from '../../shared/use-run-subject.ts'
import { RunNotes, WasHeld } from './held-reasons.tsx'
import { RunCycles } from './run-cycles.tsx'
import { RunDecision } from './run-decision.tsx'
import { RunFailures } from './run-failures.tsx'
import { RunPlan } from './run-plan.tsx'
import { RunStages } from './run-stages.tsx'
import { RunTargets } from './run-targets.tsx'
import { OtherRuns, UndoButton } from './run-undo.tsx'
import styles from './sync.module.css'
import type { WatchedRun } from './watched-run.ts'

/** One run, live: its stages, what waits for a decision, and every row of its plan with the reason. */
export function RunPage() {
  const { t } = useTranslation(['sync', 'common'])
  const { runId = '' } = useParams({ strict: false }) as { runId?: string }
  const { tenantId } = useScope()
  const query = useEndpoint(getRun, { params: { tenantId, runId } })
  useLive(query.data)
  const run = query.data
  usePageTitle(run && t('run.title', { connector: run.connectorName }))
  return (
    <Page>
      <PageHeader
        title={run?.connectorName ?? t('run.heading')}
        aside={run && <RunStateMark run={run} />}
        busy={query.isFetching && !run}
        actions={run && <RunLinks run={run} />}
      />
      {query.error && !run ? (
        <ProblemNotice error={query.error} onRetry={query.refetch} />
      ) : run ? (
        <RunContent run={run} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Page>
  )
}

/** Follows the run until it is over and every target has answered. */
const useLive = (run: WatchedRun | undefined) => {
  const api = useApi()
  const cache = useQueryClient()
  const { tenantId } = useScope()
  const id = run?.id
  // a decision opens the stream again, because it ends while a plan waits
  const state = run?.state
  useEffect(() => {
    if (!id) return
    // lists that tell of the run may know it in another state
    for (const list of [listRuns, getOverview]) cache.invalidateQueries({ queryKey: endpointKey(list) })
    const controller = new AbortController()
    const params = { tenantId, runId: id }
    let last = state
    api
      .watch(watchRun, { params, signal: controller.signal }, (seen) => {
        cache.setQueryData(endpointKey(getRun, { params }), seen)
        if (seen.state !== last) {
          cache.invalidateQueries({ queryKey: ['sync.listPlanRows'] })
          cache.invalidateQueries({ queryKey: endpointKey(getPlanBreakdown) })
          cache.invalidateQueries({ queryKey: endpointKey(listRunFailures) })
          // a plan opens cases and closes them
          cache.invalidateQueries({ queryKey: ['cases.list'] })
        }
        last = seen.state
      })
      // what cannot be followed can still be read again
      .catch(() => cache.invalidateQueries({ queryKey: endpointKey(getRun, { params }) }))
    return () => controller.abort()
  }, [api, cache, tenantId, id, state])
}

function RunLinks({ run }: { run: Run }) {
  const { t } = useTranslation('sync')
  const done = !run.trial && (run.state === 'succeeded' || run.state === 'partlySucceeded')
  return (
    <span className={styles.links}>
      {run.finishedAt && run.applied > 0 && <UndoButton run={run} />}
      {done && (
        <AppLink href={paths.people()} className={buttonClass('secondary')}>
          {t('run.people')}
        </AppLink>
      )}
      <AppLink href={paths.logs(run.correlationId)} className={buttonClass('secondary')}>
        {t('run.logs')}
      </AppLink>
    </span>
  )
}

const PLAN_PANEL = 'plan-panel'
const ABOUT = { upload: 'run.about', hand: 'run.aboutFetched', schedule: 'run.aboutScheduled', person: 'run.aboutPerson' } as const

function RunContent({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const { instant } = useFormat()
  const { subject } = useRunSubject()
  return (
    <>
      <div className={styles.runTop}>
        <p className={styles.lead}>
          {t(run.undoes || run.trial ? 'run.aboutStarted' : ABOUT[run.began], {
            file: run.undoes || run.trial ? subject(run) : (run.fileName ?? t('run.noFile')),
            by: run.createdBy,
            time: instant(run.createdAt),
          })}
          {run.dryRun && ` ${t('run.dryRun')}`}
          {run.decidedBy && ` ${t('run.decided', { by: run.decidedBy })}`}
          {run.decisionReason && ` ${t('run.reasonGiven', { reason: run.decisionReason })}`}
        </p>
        <RunStages run={run} />
        <OtherRuns run={run} />
        <RunDecision run={run} />
        <WasHeld run={run} />
        <RunCycles run={run} />
        <RunNotes run={run} />
        <RunTargets run={run} />
      </div>
      <RunFailures run={run} panelId={PLAN_PANEL} />
      <RunPlan run={run} panelId={PLAN_PANEL} />
    </>
  )
}
