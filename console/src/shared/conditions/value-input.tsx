import { type Comparison, LONGEST_SPAN, operandOf, type Span, TIME_SCALES } from '@instep/contract/conditions.ts'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import type { DraftComparison } from './condition-draft.rules.ts'
import styles from './conditions.module.css'
import { DayInput } from './day-input.tsx'
import { ManyInput } from './many-input.tsx'
import { SuggestedText } from './suggested-text.tsx'
import type { ConditionNames } from './use-condition-names.ts'

type Value = Comparison['value']

interface ValueInputProps {
  comparison: DraftComparison
  names: ConditionNames
  error: string | null
  onChange: (value: Value) => void
}

/** The input that an operator's value is entered with. */
export function ValueInput({ comparison, names, error, onChange }: ValueInputProps) {
  const { t } = useTranslation('conditions')
  const { field, operator, value } = comparison
  const operand = operandOf(operator)
  const choices = names.choicesOf(field)
  if (operand === 'none') return null
  if (operand === 'flag') return <FlagInput value={value === true} onChange={onChange} />
  if (operand === 'span') return <SpanInput value={value as Span} error={error} onChange={onChange} />
  if (operand === 'day') return <DayInput label={t('value')} value={String(value ?? '')} error={error} onChange={onChange} />
  if (operand === 'days') return <DaysInput value={value as Days} error={error} onChange={onChange} />
  if (operand === 'many') {
    return <ManyInput comparison={comparison} names={names} error={error} values={Array.isArray(value) ? value : []} onChange={onChange} />
  }
  if (!choices) return <SuggestedText field={field} value={String(value ?? '')} error={error} onChange={onChange} />
  return (
    <SelectField
      label={t('value')}
      hideLabel
      toolbar
      value={String(value ?? '')}
      error={error}
      options={[{ value: '', label: t('pickValue'), disabled: true }, ...withUnknown(choices, String(value ?? ''), t('unknownValue'))]}
      onChange={onChange}
    />
  )
}

/** A value that is not offered to this reader stays as it is until another is picked. */
const withUnknown = (choices: readonly { value: string; label: string }[], value: string, label: string) =>
  value === '' || choices.some((one) => one.value === value) ? choices : [...choices, { value, label }]

function FlagInput({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  const { t } = useTranslation(['conditions', 'common'])
  return (
    <SelectField
      label={t('conditions:value')}
      hideLabel
      toolbar
      value={value ? 'yes' : 'no'}
      options={[
        { value: 'yes', label: t('common:yes') },
        { value: 'no', label: t('common:no') },
      ]}
      onChange={(next) => onChange(next === 'yes')}
    />
  )
}

interface SpanInputProps {
  value: Span
  error: string | null
  onChange: (value: Span) => void
}

/** Undefined of more digits than a number holds. */
const numberIn = (text: string): number | undefined => {
  const number = Number(text.replace(/\D/g, ''))
  return Number.isSafeInteger(number) ? number : undefined
}

/** A length of time: how many, and of what. */
function SpanInput({ value, error, onChange }: SpanInputProps) {
  const { t } = useTranslation('conditions')
  const { number: formatted } = useFormat()
  const { number, scale } = value
  return (
    <div className={styles.pair}>
      <TextField
        label={t('number')}
        hideLabel
        toolbar
        inputMode="numeric"
        placeholder={t('number')}
        value={number > 0 ? String(number) : ''}
        error={number > LONGEST_SPAN ? t('atMost', { limit: formatted(LONGEST_SPAN) }) : error}
        onChange={(text) => onChange({ scale, number: numberIn(text) ?? number })}
      />
      <SelectField
        label={t('scale')}
        hideLabel
        toolbar
        value={scale}
        options={TIME_SCALES.map((one) => ({ value: one, label: t(`scales.${one}`) }))}
        onChange={(next) => onChange({ number, scale: next as Span['scale'] })}
      />
    </div>
  )
}

interface Days {
  from: string
  to: string
}

function DaysInput({ value, error, onChange }: { value: Days; error: string | null; onChange: (value: Days) => void }) {
  const { t } = useTranslation('conditions')
  const backwards = value.from !== '' && value.to !== '' && value.from > value.to
  return (
    <div className={styles.pair}>
      <DayInput
        label={t('from')}
        value={value.from}
        error={value.from === '' ? error : null}
        onChange={(from) => onChange({ ...value, from })}
      />
      <DayInput
        label={t('to')}
        value={value.to}
        error={backwards ? t('backwards') : value.to === '' ? error : null}
        onChange={(to) => onChange({ ...value, to })}
      />
    </div>
  )
}
