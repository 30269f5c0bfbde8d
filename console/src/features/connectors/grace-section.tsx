import type { Connector } from '@instep/contract/connectors.ts'
import { getGrace, LONGEST_GRACE_DAYS, updateGrace } from '@instep/contract/grace-period.ts'
import { Button } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './placement.module.css'

/** How long leavers of a source are kept, and how many there are. */
export function GraceSection({ connector }: { connector: Connector }) {
  const { t } = useTranslation('placement')
  const { number } = useFormat()
  const query = useEndpoint(getGrace, { params: { connectorId: connector.id } }, { staleTime: 0 })
  const { data } = query
  return (
    <Section title={t('grace.title')} hint={t('grace.hint')}>
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {data && (
        <div className={styles.editor}>
          <Editor key={data.grace.days} connectorId={connector.id} days={data.grace.days} />
          <p className={styles.muted}>
            {t('grace.people', { count: data.deactivated, amount: number(data.deactivated), due: number(data.due) })}
          </p>
        </div>
      )}
    </Section>
  )
}

function Editor({ connectorId, days }: { connectorId: string; days: number }) {
  const { t } = useTranslation(['placement', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refusal = useRefusal().ofCall(updateGrace)
  const [typed, setTyped] = useState(String(days))
  const save = useAction(updateGrace, {
    onSuccess: () => {
      showToast({ kind: 'done', text: t('grace.saved') })
      return cache.invalidateQueries({ queryKey: endpointKey(getGrace, { params: { connectorId } }) })
    },
  })
  const value = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  const wrong = !(value <= LONGEST_GRACE_DAYS)
  return (
    <>
      <div className={styles.days}>
        <TextField
          label={t('grace.days')}
          inputMode="numeric"
          value={typed}
          error={wrong ? t('grace.wrong', { most: LONGEST_GRACE_DAYS }) : save.error ? problemText(save.error) : undefined}
          onChange={setTyped}
        />
      </div>
      {typed.trim() !== String(days) && (
        <div className={styles.buttons}>
          <Button
            variant="primary"
            busy={save.isPending}
            disabledReason={refusal ?? (wrong ? t('grace.wrong', { most: LONGEST_GRACE_DAYS }) : null)}
            onClick={() => save.mutate({ params: { connectorId }, body: { days: value } })}
          >
            {t('common:save')}
          </Button>
          <Button onClick={() => setTyped(String(days))}>{t('discard')}</Button>
        </div>
      )}
    </>
  )
}
