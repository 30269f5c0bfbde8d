import type { Connector } from '@instep/contract/connectors.ts'
import { getPlacement, type Placement, type PlacementSample, updatePlacement } from '@instep/contract/placement.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './placement.module.css'
import { isFull, newRule, placeable, resultsOf } from './placement.rules.ts'
import { PlacementRules } from './placement-rules.tsx'
import { PlacementTrial } from './placement-trial.tsx'

/** By which rules people of a source come to their sites, tried on some of them while it is changed. */
export function PlacementSection({ connector }: { connector: Connector }) {
  const { t } = useTranslation('placement')
  const { number } = useFormat()
  const params = { connectorId: connector.id }
  const query = useEndpoint(getPlacement, { params }, { staleTime: 0 })
  const { data } = query
  return (
    <Section
      title={t('title')}
      hint={t('hint')}
      actions={
        data && data.unassigned > 0 ? (
          <AppLink href={paths.people({ unassigned: true, connector: connector.id })} className={buttonClass('secondary')}>
            {t('unassigned', { count: data.unassigned, amount: number(data.unassigned) })}
          </AppLink>
        ) : undefined
      }
    >
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {data && <Editor key={data.version} connectorId={connector.id} kept={data.placement} sample={data.sample} />}
    </Section>
  )
}

interface EditorProps {
  connectorId: string
  kept: Placement
  sample: readonly PlacementSample[]
}

function Editor({ connectorId, kept, sample }: EditorProps) {
  const { t } = useTranslation(['placement', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refusal = useRefusal().ofCall(updatePlacement)
  const { sites = [] } = useScope()
  const [rules, setRules] = useState(kept.rules)
  const save = useAction(updatePlacement, {
    onSuccess: () => {
      showToast({ kind: 'done', text: t('saved') })
      return cache.invalidateQueries({ queryKey: endpointKey(getPlacement, { params: { connectorId } }) })
    },
  })
  const changed = JSON.stringify(rules) !== JSON.stringify(kept.rules)
  const results = resultsOf(rules, { sample, sites: placeable(sites), today: new Date().toISOString().slice(0, 10) })
  return (
    <div className={styles.editor}>
      {rules.length === 0 && <p className={styles.muted}>{t('none')}</p>}
      <PlacementRules rules={rules} results={results} onChange={setRules} />
      <div className={styles.buttons}>
        <Button icon={IconPlus} disabledReason={isFull(rules) ? t('full') : refusal} onClick={() => setRules([...rules, newRule()])}>
          {t('add')}
        </Button>
        {changed && (
          <>
            <Button
              variant="primary"
              busy={save.isPending}
              disabledReason={refusal}
              onClick={() => save.mutate({ params: { connectorId }, body: { rules } })}
            >
              {t('common:save')}
            </Button>
            <Button onClick={() => setRules(kept.rules)}>{t('discard')}</Button>
          </>
        )}
      </div>
      {save.error && (
        <p role="alert" className={styles.problem}>
          {problemText(save.error)}
        </p>
      )}
      <PlacementTrial results={results} />
    </div>
  )
}
