import type { PlacementRule } from '@instep/contract/placement.ts'
import { type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { SelectField, type SelectOption } from '@instep/ui/select-field.tsx'
import { IconArrowDown, IconArrowUp, IconFilter, IconTrash } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeCondition } from '../../shared/conditions/describe-condition.ts'
import { Sentence } from '../../shared/conditions/sentence.tsx'
import { useSentenceWords } from '../../shared/conditions/use-sentence-words.ts'
import { useGroupedSites } from '../../shared/use-grouped-sites.ts'
import styles from './placement.module.css'
import { countsOf, DESTINATIONS, type DestinationKind, kindOf, type SampleResult, withKind, withRuleMoved } from './placement.rules.ts'
import { PlacementWhen } from './placement-when.tsx'

interface PlacementRulesProps {
  rules: readonly PlacementRule[]
  results: readonly SampleResult[]
  onChange: (rules: PlacementRule[]) => void
}

/** The rules in their order: moved by buttons, each with whom it speaks of, where it leads, and how many of the sample it places. */
export function PlacementRules({ rules, results, onChange }: PlacementRulesProps) {
  const pressed = useRef<HTMLElement | null>(null)
  const [choosing, setChoosing] = useState<number | null>(null)
  // a row that changes places loses the focus that its button has
  useLayoutEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  })
  const counts = countsOf(results)
  const set = (place: number, rule: PlacementRule) => onChange(rules.map((one, at) => (at === place ? rule : one)))
  const chosen = choosing === null ? undefined : rules[choosing]
  return (
    <>
      {rules.length > 0 && (
        <ol className={styles.rules}>
          {rules.map((rule, place) => (
            <RuleRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by its place alone
              key={place}
              rule={rule}
              place={place}
              last={place === rules.length - 1}
              placed={counts.get(place + 1) ?? 0}
              onChange={(next) => set(place, next)}
              onChoose={() => setChoosing(place)}
              onRemove={() => onChange(rules.filter((_, at) => at !== place))}
              onMove={(to, button) => {
                pressed.current =
                  button.closest('ol')?.children[to]?.querySelector<HTMLElement>(`[data-move="${button.dataset['move']}"]`) ?? null
                onChange(withRuleMoved(rules, place, to))
              }}
            />
          ))}
        </ol>
      )}
      {choosing !== null && chosen && (
        <PlacementWhen
          rule={chosen}
          onClose={() => setChoosing(null)}
          onChange={(next) => {
            set(choosing, next)
            setChoosing(null)
          }}
        />
      )}
    </>
  )
}

interface RuleRowProps {
  rule: PlacementRule
  place: number
  last: boolean
  /** How many people of the sample it places. */
  placed: number
  onChange: (rule: PlacementRule) => void
  onChoose: () => void
  onRemove: () => void
  onMove: (to: number, button: HTMLElement) => void
}

function RuleRow({ rule, place, last, placed, onChange, onChoose, onRemove, onMove }: RuleRowProps) {
  const { t } = useTranslation('placement')
  const words = useSentenceWords()
  const number = place + 1
  return (
    <li className={styles.rule} aria-label={t('rule', { number })}>
      <span className={`figures ${styles.number}`} aria-hidden="true">
        {number}
      </span>
      <div className={styles.when}>
        <span>{rule.when ? <Sentence parts={describeCondition(rule.when, words)} /> : t('everybody')}</span>
        <Button variant="quiet" icon={IconFilter} aria-label={t('chooseOf', { number })} onClick={onChoose}>
          {t(rule.when ? 'change' : 'choose')}
        </Button>
      </div>
      <span className={styles.moves}>
        <IconButton
          small
          icon={IconArrowUp}
          label={t('earlier', { number })}
          data-move="up"
          aria-disabled={place === 0}
          onClick={(event) => onMove(place - 1, event.currentTarget)}
        />
        <IconButton
          small
          icon={IconArrowDown}
          label={t('later', { number })}
          data-move="down"
          aria-disabled={last}
          onClick={(event) => onMove(place + 1, event.currentTarget)}
        />
        <IconButton small icon={IconTrash} label={t('remove', { number })} onClick={onRemove} />
      </span>
      <div className={styles.to}>
        <Destination rule={rule} number={number} onChange={onChange} />
        <span className={styles.muted}>{t('placed', { count: placed })}</span>
      </div>
    </li>
  )
}

function Destination({ rule, number, onChange }: { rule: PlacementRule; number: number; onChange: (rule: PlacementRule) => void }) {
  const { t } = useTranslation(['placement', 'people'])
  const sites = useGroupedSites()
  const { to } = rule
  const options: SelectOption[] =
    'siteId' in to
      ? sites.filter(({ id, active }) => active || id === to.siteId).map(({ id, name, group }) => ({ value: id, label: name, group }))
      : userFieldNames.map((field) => ({ value: field, label: t(`people:fields.${field}`) }))
  const known = 'siteId' in to && options.every(({ value }) => value !== to.siteId) ? [{ value: to.siteId, label: t('siteGone') }] : []
  return (
    <>
      <SelectField
        label={t('whereOf', { number })}
        hideLabel
        toolbar
        value={kindOf(rule)}
        options={DESTINATIONS.map((kind) => ({ value: kind, label: t(`destinations.${kind}`) }))}
        onChange={(kind) => onChange(withKind(rule, kind as DestinationKind, sites))}
      />
      <SelectField
        label={t('siteId' in to ? 'siteOf' : 'fieldOf', { number })}
        hideLabel
        toolbar
        value={'siteId' in to ? to.siteId : to.field}
        options={[...known, ...options]}
        onChange={(value) => onChange({ ...rule, to: 'siteId' in to ? { siteId: value } : { field: value as UserFieldName, by: to.by } })}
      />
    </>
  )
}
