import { answerCase, type MatchCaseDetail } from '@instep/contract/match-cases.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './cases.module.css'
import type { Answering } from './use-answer.ts'

/** The answers that name nobody, and, once there is an answer, what it was and the way back. */
export function CaseAnswer({ found, answering }: { found: MatchCaseDetail; answering: Answering }) {
  const { t } = useTranslation(['cases', 'problems'])
  const { instant } = useFormat()
  const problemText = useProblemText()
  const { params, answer, takeBack, error, busy } = answering
  const [ignoring, setIgnoring] = useState(false)
  const refusal = useRefusal().ofCall(answerCase)
  const createRefusal = refusal ?? (found.createRefusal && t(`problems:${found.createRefusal}`))
  return (
    <>
      {found.state === 'closed' && found.closedBecause && (
        <Banner tone="plain" boxed>
          {t(`closed.${found.closedBecause}`)}
        </Banner>
      )}
      {found.state === 'answered' && found.decision && (
        <Banner
          tone="ok"
          boxed
          actions={
            <Button busy={busy} disabledReason={refusal} onClick={() => takeBack.mutate({ params })}>
              {t('takeBack')}
            </Button>
          }
        >
          <strong>{t(`decisions.${found.decision}`)}.</strong>{' '}
          {t('answeredBy', { by: found.decidedBy ?? '', time: found.decidedAt ? instant(found.decidedAt) : '' })}{' '}
          {found.reason && t('reasonGiven', { reason: found.reason })} {t('actsNext')}
        </Banner>
      )}
      {found.state === 'open' && (
        <div className={styles.buttons}>
          <Button busy={busy} disabledReason={createRefusal} onClick={() => answer.mutate({ params, body: { decision: 'create' } })}>
            {t('create')}
          </Button>
          <Button disabledReason={refusal} onClick={() => setIgnoring(true)}>
            {t('ignore')}
          </Button>
        </div>
      )}
      {error && !ignoring && (
        <Banner tone="danger" boxed alert>
          {problemText(error)}
        </Banner>
      )}
      {ignoring && (
        <ReasonDialog
          title={t('ignoreTitle')}
          action={t('ignore')}
          busy={busy}
          error={error}
          onClose={() => setIgnoring(false)}
          onGiven={(reason) => answer.mutate({ params, body: { decision: 'ignore', reason } }, { onSuccess: () => setIgnoring(false) })}
        >
          <p>{t('ignoreText')}</p>
        </ReasonDialog>
      )}
    </>
  )
}
