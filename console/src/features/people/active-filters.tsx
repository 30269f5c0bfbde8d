import { Icon } from '@instep/ui/icon.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { asSentence, describeCondition, removableParts, sentenceText, withoutPart } from '../../shared/conditions/describe-condition.ts'
import { Sentence } from '../../shared/conditions/sentence.tsx'
import { useSentenceWords } from '../../shared/conditions/use-sentence-words.ts'
import { useScope } from '../../shared/scope.tsx'
import styles from './active-filters.module.css'
import type { PeopleList } from './people-list.rules.ts'
import type { ChangeList } from './use-people-list.ts'

interface ActiveFiltersProps {
  list: PeopleList
  onChange: ChangeList
  /** Opens the conditions. */
  onEdit: () => void
}

/** What the list is narrowed to, in words: each condition can be opened, or taken away. */
export function ActiveFilters({ list, onChange, onEdit }: ActiveFiltersProps) {
  const { t, i18n } = useTranslation('people')
  const words = useSentenceWords()
  const { siteGroups } = useScope()
  const line = useRef<HTMLElement>(null)
  const { filters, siteGroupId } = list
  const parts = filters ? removableParts(filters) : []
  const group = siteGroups?.find(({ id }) => id === siteGroupId)
  // what is pressed goes away, perhaps the whole line with it: the focus goes to what opens the filter
  const remove = (change: () => void) => {
    line.current?.parentElement?.querySelector<HTMLElement>('[data-opens-filter]')?.focus()
    change()
  }
  return (
    <section ref={line} className={styles.line} aria-label={t('conditions.active')}>
      {list.filtersLost && <Lost>{t('conditions.lost')}</Lost>}
      {list.groupLost && <Lost>{t('conditions.groupLost')}</Lost>}
      {siteGroupId !== null && (
        <span className={styles.chip}>
          <span className={styles.words}>{t('conditions.siteGroup', { name: group?.name ?? t('connector.unknown') })}</span>
          <IconButton
            small
            icon={IconX}
            label={t('conditions.removeSiteGroup')}
            onClick={() => remove(() => onChange({ siteGroupId: null }))}
          />
        </span>
      )}
      {filters &&
        parts.map((part, index) => {
          const described = asSentence(describeCondition(part, words), i18n.language)
          const text = sentenceText(described)
          return (
            <span key={JSON.stringify(part)} className={styles.chip}>
              <button type="button" className={styles.words} data-tip={text} aria-haspopup="dialog" onClick={onEdit}>
                <Sentence parts={described} />
              </button>
              <IconButton
                small
                icon={IconX}
                label={t('conditions.remove', { condition: text })}
                onClick={() => remove(() => onChange({ filters: withoutPart(filters, index) }))}
              />
            </span>
          )
        })}
      <button type="button" className={styles.clear} onClick={() => remove(() => onChange({ filters: null, siteGroupId: null }))}>
        {t('conditions.clear')}
      </button>
    </section>
  )
}

/** What of the address does not narrow the list. */
function Lost({ children }: { children: ReactNode }) {
  return (
    <span className={styles.lost} role="status">
      <Icon of={IconAlertTriangle} size={14} />
      {children}
    </span>
  )
}
