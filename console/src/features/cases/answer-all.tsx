import { answerCases, CASE_DECISIONS, type CaseKind, listCases, previewAnswers } from '@instep/contract/match-cases.ts'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './cases.module.css'

interface AnswerAllProps {
  kind: CaseKind | undefined
  connectorId: string | undefined
  /** How many cases of the kind are open. */
  open: number
}

/** Answers all open cases of a kind alike, after a look at what that would do to each. */
export function AnswerAll({ kind, connectorId, open }: AnswerAllProps) {
  const { t } = useTranslation('cases')
  const [opened, setOpened] = useState(false)
  const refusal = useRefusal().ofCall(answerCases) ?? (kind ? (open === 0 ? t('none.open') : null) : t('all.chooseKind'))
  return (
    <>
      <Button disabledReason={refusal} onClick={() => setOpened(true)}>
        {t('all.open')}
      </Button>
      {kind && opened && <AnswerAllDialog kind={kind} connectorId={connectorId} onClose={() => setOpened(false)} />}
    </>
  )
}

function AnswerAllDialog({ kind, connectorId, onClose }: { kind: CaseKind; connectorId: string | undefined; onClose: () => void }) {
  const { t } = useTranslation(['cases', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const problemText = useProblemText()
  const [decision, setDecision] = useState<(typeof CASE_DECISIONS)[number]>('link')
  const [reason, setReason] = useState('')
  const preview = useEndpoint(previewAnswers, { params: { tenantId }, body: { kind, decision, ...(connectorId && { connectorId }) } })
  const answers = preview.data?.answers ?? []
  const possible = answers.filter(({ refusal }) => refusal === null)
  const { act, error, isPending } = useAnswerAll(onClose)
  const missing = decision === 'ignore' && reason.trim() === ''
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('all.title', { kind: t(`kinds.${kind}`) })}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            variant="primary"
            size="form"
            busy={isPending}
            disabledReason={
              possible.length === 0
                ? t('all.nothing')
                : missing
                  ? t('common:enterValue', { value: t('common:reason').toLocaleLowerCase() })
                  : null
            }
            onClick={() =>
              act(
                possible.map(({ caseId }) => caseId),
                decision === 'ignore' ? { decision, reason: reason.trim() } : { decision },
              )
            }
          >
            {t(`all.do.${decision}`, { count: possible.length, amount: number(possible.length) })}
          </Button>
        </>
      }
    >
      <div className={styles.all}>
        <SelectField
          label={t('all.answer')}
          value={decision}
          options={CASE_DECISIONS.map((value) => ({ value, label: t(`all.answers.${value}`) }))}
          onChange={(value) => setDecision(CASE_DECISIONS.find((one) => one === value) ?? decision)}
        />
        {decision === 'ignore' && <TextField label={t('common:reason')} required longest={1000} value={reason} onChange={setReason} />}
        <Preview answers={answers} />
        {preview.data?.more && <p className={styles.muted}>{t('all.more')}</p>}
        {(error ?? preview.error) && (
          <p role="alert" className={styles.problem}>
            {problemText(error ?? preview.error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Preview({
  answers,
}: {
  answers: readonly {
    caseId: string
    displayName: string
    person: { displayName: string; connectorName: string } | null
    refusal: string | null
  }[]
}) {
  const { t } = useTranslation(['cases', 'problems'])
  return (
    <ul className={styles.preview} aria-label={t('all.preview')}>
      {answers.map(({ caseId, displayName, person, refusal }) => (
        <li key={caseId}>
          <strong>{displayName}</strong>{' '}
          {refusal ? (
            <span className={styles.problem}>{t(`problems:${refusal}`)}</span>
          ) : (
            person && <span className={styles.muted}>{t('all.person', { name: person.displayName, connector: person.connectorName })}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const useAnswerAll = (onDone: () => void) => {
  const { t } = useTranslation('cases')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const cache = useQueryClient()
  const { mutate, error, isPending } = useAction(answerCases, {
    onSuccess: ({ answered, refused }) => {
      cache.invalidateQueries({ queryKey: endpointKey(listCases) })
      cache.invalidateQueries({ queryKey: endpointKey(previewAnswers) })
      const left = refused.length > 0 ? ` ${t('all.left', { count: refused.length, amount: number(refused.length) })}` : ''
      showToast({ kind: 'done', text: `${t('all.done', { count: answered, amount: number(answered) })}${left}` })
      onDone()
    },
  })
  type Answer = Parameters<typeof mutate>[0]['body']['answer']
  return { act: (caseIds: string[], answer: Answer) => mutate({ params: { tenantId }, body: { caseIds, answer } }), error, isPending }
}
