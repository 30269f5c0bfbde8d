import { LONGEST_TEXT } from '@instep/contract/conditions.ts'
import { ComboField } from '@instep/ui/combo-field.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { useTooLong } from '@instep/ui/use-too-long.ts'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DraftComparison } from './condition-draft.rules.ts'
import styles from './conditions.module.css'
import type { ConditionNames } from './use-condition-names.ts'
import { useSuggestions } from './use-suggestions.ts'

interface ManyInputProps {
  comparison: DraftComparison
  names: ConditionNames
  error: string | null
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** Several values: picked one after the other, or where they are free, written and ended with Enter. */
export function ManyInput({ comparison, names, values, error, onChange }: ManyInputProps) {
  const { t } = useTranslation(['conditions', 'common'])
  const choices = names.choicesOf(comparison.field)
  const { options, onSearch, suggests } = useSuggestions(comparison.field, choices)
  const [typed, setTyped] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const labelOf = (value: string) => choices?.find((one) => one.value === value)?.label ?? (choices ? t('conditions:unknownValue') : value)
  const add = (added: readonly string[]) => {
    setTyped('')
    onChange([...new Set([...values, ...added])])
  }
  // ids pasted from a sheet stand between commas or tabs; names of departments may hold commas
  const texts = (suggests ? [typed] : typed.split(/[,;\t]/)).map((text) => text.trim()).filter((text) => text !== '')
  // a list may be as long as it likes, its parts may not
  const tooLong = useTooLong(texts, LONGEST_TEXT)
  const written = () => {
    if (choices || texts.length === 0) return setTyped('')
    if (!tooLong) add(texts)
  }
  const remove = (value: string) => {
    frame.current?.querySelector('input')?.focus()
    onChange(values.filter((one) => one !== value))
  }
  return (
    <div ref={frame} className={styles.many}>
      <ComboField
        label={t('conditions:values')}
        hideLabel
        toolbar
        placeholder={t(choices ? 'conditions:pickValues' : 'conditions:writeValues')}
        value={typed}
        error={choices ? error : (tooLong ?? error)}
        options={options?.filter(({ key, label }) => !values.includes(choices ? key : label))}
        onSearch={onSearch}
        onChange={setTyped}
        onPick={({ key, label }) => add([choices ? key : label])}
        onEnter={written}
        onBlur={written}
        empty={t(choices ? 'conditions:noSuchValue' : 'conditions:addWithEnter')}
        loading={t('common:loading')}
      />
      {values.length > 0 && (
        <ul className={styles.chips} aria-label={t('conditions:values')}>
          {values.map((value) => (
            <li key={value} className={styles.chip}>
              <bdi className={styles.chipText}>{labelOf(value)}</bdi>
              <button
                type="button"
                className={styles.chipRemove}
                aria-label={t('conditions:removeValue', { value: labelOf(value) })}
                onClick={() => remove(value)}
              >
                <Icon of={IconX} size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
