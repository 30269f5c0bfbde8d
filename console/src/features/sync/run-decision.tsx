import { planAgain } from '@instep/contract/match-cases.ts'
import { applyRun, cancelRun, getRun, rejectRun } from '@instep/contract/sync.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { HeldReasons } from './held-reasons.tsx'
import styles from './sync.module.css'
import { useRunWords } from './use-run-words.ts'
import type { WatchedRun } from './watched-run.ts'

/** What a person may decide about the run now, with the effect in numbers; and how it ended when nothing is left to decide. */
export function RunDecision({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const words = useRunWords()
  const { number } = useFormat()
  if (run.state === 'queued' || run.state === 'running') return <RunUnderWay run={run} />
  if (run.state === 'planned' || run.state === 'held') return <Waiting run={run} />
  if (run.state === 'failed')
    return (
      <Banner tone="danger" boxed>
        <strong>{t('run.failed')}</strong>
        {run.failure && <div>{words.failure(run.failure)}</div>}
      </Banner>
    )
  if (run.state === 'rejected' || run.state === 'cancelled')
    return (
      <Banner tone="plain" boxed>
        {run.applied > 0 ? t('run.stopped', { count: run.applied, amount: number(run.applied) }) : t(`run.${run.state}`)}
      </Banner>
    )
  if (run.nothingNew) return <p className={styles.sentence}>{t('run.nothingNew')}</p>
  if (run.trial) return <TrialEnd run={run} />
  const done = words.done(run.counts)
  return (
    <p className={styles.sentence}>
      {run.stale > 0
        ? t(run.undoes ? 'undo.doneStale' : 'run.doneStale', { count: run.stale, done })
        : done
          ? t('run.done', { done })
          : t('run.doneNothing')}
    </p>
  )
}

/** A trial has nothing to decide: what the version would do, and whether a guard would hold it. */
function TrialEnd({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const words = useRunWords()
  const effects = words.effects(run.counts)
  return (
    <>
      <Banner tone="plain" boxed>
        <strong>{t('trial.title', { version: run.configVersion })}</strong>
        <div>{t('trial.text')}</div>
      </Banner>
      {run.held && (
        <Banner tone="warn" boxed>
          <strong>{t('trial.held')}</strong>
          <div>{words.held(run.held)}</div>
        </Banner>
      )}
      <p className={styles.sentence}>{effects ? t('trial.would', { effects }) : t('trial.wouldNothing')}</p>
    </>
  )
}

/** Making a plan can be stopped, and so can applying it, between two chunks. */
function RunUnderWay({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const { act, problem } = useDecision(run)
  const planning = run.decidedBy === null
  return (
    <div className={styles.decision}>
      <p className={styles.sentence}>{t(planning ? 'run.planning' : 'run.applying')}</p>
      <Button busy={act.cancel.isPending} onClick={() => act.cancel.mutate({ params: act.params })}>
        {t(planning ? 'run.cancel' : 'run.stop')}
      </Button>
      {problem}
    </div>
  )
}

const useDecision = (run: WatchedRun) => {
  const cache = useQueryClient()
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const params = { tenantId, runId: run.id }
  const onSuccess = () => cache.invalidateQueries({ queryKey: endpointKey(getRun) })
  const apply = useAction(applyRun, { onSuccess })
  const reject = useAction(rejectRun, { onSuccess })
  const cancel = useAction(cancelRun, { onSuccess })
  const again = useAction(planAgain, { onSuccess })
  const error = apply.error ?? reject.error ?? cancel.error ?? again.error
  const problem = error && (
    <Banner tone="danger" boxed alert>
      {problemText(error)}
    </Banner>
  )
  return { act: { params, apply, reject, cancel, again }, problem }
}

function Waiting({ run }: { run: WatchedRun }) {
  const { t } = useTranslation(['sync', 'common'])
  const { number } = useFormat()
  const words = useRunWords()
  const { act, problem } = useDecision(run)
  const reason = useDraft(`run.${run.id}.reason`, '')
  const [asked, setAsked] = useState(false)
  const [rejecting, setRejecting] = useState(false)
  const effects = words.effects(run.counts)
  const leftAlone = run.counts.conflict + run.counts.invalid
  const leftAloneText = t('run.wouldNothingLeft', { count: leftAlone, amount: number(leftAlone) })
  const missing = run.state === 'held' && reason.value.trim() === ''
  const apply = () => {
    setAsked(true)
    if (missing) return
    const given = reason.value.trim()
    act.apply.mutate({ params: act.params, body: given ? { reason: given } : {} }, { onSuccess: reason.clear })
  }
  const reject = () =>
    act.reject.mutate(
      { params: act.params, body: {} },
      {
        onSuccess: () => {
          setRejecting(false)
          showToast({ kind: 'done', text: t('run.rejected') })
        },
      },
    )
  return (
    <>
      <HeldReasons run={run} />
      <p className={styles.sentence}>
        {effects ? t('run.would', { effects }) : leftAlone ? leftAloneText : t(run.undoes ? 'undo.wouldNothing' : 'run.wouldNothing')}
      </p>
      <div className={styles.decision}>
        {run.state === 'held' && effects && (
          <div className={styles.reason}>
            <TextField
              label={t('held.reason')}
              hint={t('held.reasonHint')}
              required
              longest={1000}
              error={asked && missing ? t('common:enterValue', { value: t('held.reason').toLocaleLowerCase() }) : undefined}
              value={reason.value}
              onChange={reason.change}
            />
          </div>
        )}
        {(effects || run.state === 'planned') && (
          <Button variant="primary" size="form" busy={act.apply.isPending} onClick={apply}>
            {effects ? t(run.state === 'held' ? 'run.applyHeld' : 'run.apply') : t('run.finish')}
          </Button>
        )}
        {(effects || run.state === 'held') && (
          <Button size="form" onClick={() => setRejecting(true)}>
            {t('run.reject')}
          </Button>
        )}
        {run.counts.conflict > 0 && (
          <Button
            size="form"
            busy={act.again.isPending}
            data-tip={t('run.planAgainHint')}
            onClick={() => act.again.mutate({ params: act.params })}
          >
            {t('run.planAgain')}
          </Button>
        )}
      </div>
      {problem}
      <Dialog
        opened={rejecting}
        onClose={() => setRejecting(false)}
        title={t('run.rejectTitle')}
        footer={
          <>
            <Button size="form" onClick={() => setRejecting(false)}>
              {t('common:cancel')}
            </Button>
            <Button variant="danger" size="form" busy={act.reject.isPending} onClick={reject}>
              {t('run.reject')}
            </Button>
          </>
        }
      >
        <p>{effects ? t('run.rejectText', { effects }) : t('run.rejectNothing')}</p>
      </Dialog>
    </>
  )
}
