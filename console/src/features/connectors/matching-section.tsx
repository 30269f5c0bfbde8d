import type { Connector } from '@instep/contract/connectors.ts'
import { getMatching, type Matching, SUSPICION_ACTS, updateMatching } from '@instep/contract/matching.ts'
import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { Section } from '@instep/ui/section.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './matching.module.css'
import { MatchingKeys } from './matching-keys.tsx'

const LIKENESSES = ['nameAndBirthDate', 'personalEmail', 'personalPhone'] as const

/** How records of a source find their people, and what happens when somebody new looks like somebody known. */
export function MatchingSection({ connector }: { connector: Connector }) {
  const { t } = useTranslation('matching')
  const params = { connectorId: connector.id }
  const query = useEndpoint(getMatching, { params })
  return (
    <Section title={t('title')} hint={t('hint')}>
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {query.data && <Editor key={query.data.version} connectorId={connector.id} kept={query.data.matching} />}
    </Section>
  )
}

function Editor({ connectorId, kept }: { connectorId: string; kept: Matching }) {
  const { t } = useTranslation(['matching', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refusal = useRefusal().ofCall(updateMatching)
  const [matching, setMatching] = useState(kept)
  const save = useAction(updateMatching, {
    onSuccess: (saved) => {
      cache.setQueryData(endpointKey(getMatching, { params: { connectorId } }), saved)
      showToast({ kind: 'done', text: t('saved') })
    },
  })
  const { samePerson } = matching
  const changed = JSON.stringify(matching) !== JSON.stringify(kept)
  const suspect = (change: Partial<Matching['samePerson']>) => setMatching({ ...matching, samePerson: { ...samePerson, ...change } })
  return (
    <div className={styles.editor}>
      <MatchingKeys keys={matching.keys} onChange={(keys) => setMatching({ ...matching, keys })} />
      <fieldset className={styles.suspicion}>
        <legend>{t('samePerson')}</legend>
        <p className={styles.muted}>{t('samePersonHint')}</p>
        <SelectField
          label={t('act')}
          value={samePerson.act}
          options={SUSPICION_ACTS.map((value) => ({ value, label: t(`acts.${value}`) }))}
          onChange={(value) => suspect({ act: SUSPICION_ACTS.find((one) => one === value) ?? samePerson.act })}
        />
        {samePerson.act !== 'off' &&
          LIKENESSES.map((likeness) => (
            <Checkbox
              key={likeness}
              label={t(`likenesses.${likeness}`)}
              showLabel
              checked={samePerson[likeness]}
              onChange={(checked) => suspect({ [likeness]: checked })}
            />
          ))}
      </fieldset>
      {save.error && (
        <p role="alert" className={styles.problem}>
          {problemText(save.error)}
        </p>
      )}
      {changed && (
        <div className={styles.buttons}>
          <Button
            variant="primary"
            size="form"
            busy={save.isPending}
            disabledReason={refusal}
            onClick={() => save.mutate({ params: { connectorId }, body: matching })}
          >
            {t('common:save')}
          </Button>
          <Button size="form" onClick={() => setMatching(kept)}>
            {t('discard')}
          </Button>
        </div>
      )}
    </div>
  )
}
