import type { PlacementRule } from '@instep/contract/placement.ts'
import { useTranslation } from 'react-i18next'
import { describeCondition } from '../../shared/conditions/describe-condition.ts'
import { Sentence } from '../../shared/conditions/sentence.tsx'
import { useSentenceWords } from '../../shared/conditions/use-sentence-words.ts'
import { useScope } from '../../shared/scope.tsx'
import styles from './config.module.css'

/** Placement rules as they are read in a comparison, one line each. */
export function PlacementLines({ rules }: { rules: readonly PlacementRule[] }) {
  const { t } = useTranslation(['placement', 'people'])
  const words = useSentenceWords()
  const { sites = [] } = useScope()
  if (rules.length === 0) return <span className={styles.muted}>{t('none')}</span>
  const leadsTo = ({ to }: PlacementRule): string =>
    'siteId' in to
      ? (sites.find(({ id }) => id === to.siteId)?.name ?? t('siteGone'))
      : t(`leadsTo.${to.by}`, { field: t(`people:fields.${to.field}`) })
  return (
    <ol className={styles.lines}>
      {rules.map((rule, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by its place alone
        <li key={place}>
          {rule.when ? <Sentence parts={describeCondition(rule.when, words)} /> : t('everybody')} → <bdi>{leadsTo(rule)}</bdi>
        </li>
      ))}
    </ol>
  )
}
