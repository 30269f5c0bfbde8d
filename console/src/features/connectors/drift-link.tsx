import { type DriftFinding, decideDrift, listDriftFindings, suggestDriftLinks } from '@instep/contract/drift.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { type ChosenPerson, PersonChoice } from '../../shared/person-choice.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import styles from './connectors.module.css'

interface DriftLinkProps {
  params: { tenantId: string; id: string; runId: string }
  finding: DriftFinding
  onClose: () => void
}

/** Whose an unknown account is: whoever has its key, or anybody else who has no account at the target. Mount it to open it. */
export function DriftLink({ params, finding, onClose }: DriftLinkProps) {
  const { t } = useTranslation(['targets', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const { sequence, name, remoteId } = finding
  const [chosen, setChosen] = useState<ChosenPerson | null>(null)
  const query = useEndpoint(suggestDriftLinks, { params, query: { sequence } })
  const link = useAction(decideDrift, {
    onSuccess: ({ decided }) => {
      showToast({ kind: decided > 0 ? 'done' : 'failed', text: t('drift.done', { count: decided }) })
      cache.invalidateQueries({ queryKey: endpointKey(listDriftFindings) })
      onClose()
    },
  })
  const linkTo = (userId: string) => link.mutate({ params, body: { decision: 'link', kind: 'unknown', sequences: [sequence], userId } })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('link.title', { name: name ?? remoteId })}
      footer={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button
            variant="primary"
            busy={link.isPending}
            disabledReason={chosen ? null : t('link.chooseFirst')}
            onClick={() => chosen && linkTo(chosen.id)}
          >
            {t('link.choose')}
          </Button>
        </>
      }
    >
      <p className={styles.muted}>{t('link.text')}</p>
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {!query.data && !query.error && <Loader label={t('common:loading')} />}
      {query.data?.candidates.length === 0 && <p>{t('link.none')}</p>}
      <ul className={styles.list}>
        {query.data?.candidates.map((person) => (
          <li key={person.id} className={styles.candidate}>
            <bdi>{person.displayName}</bdi>
            <bdi className="figures">{person.employeeId}</bdi>
            <span className={styles.muted}>{t(`link.foundBy.${person.foundBy}`)}</span>
            <Button busy={link.isPending} aria-label={t('link.chooseWhom', { name: person.displayName })} onClick={() => linkTo(person.id)}>
              {t('link.choose')}
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.choice}>
        <PersonChoice
          label={t('link.another')}
          within={params.tenantId}
          chosen={chosen}
          onChoose={(person) => {
            link.reset()
            setChosen(person)
          }}
        />
      </div>
      {link.error && (
        <Banner tone="danger" boxed alert>
          {problemText(link.error)}
        </Banner>
      )}
    </Dialog>
  )
}
