import { LONGEST_TEXT } from '@instep/contract/conditions.ts'
import { ComboField } from '@instep/ui/combo-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useTranslation } from 'react-i18next'
import { useSuggestions } from './use-suggestions.ts'

interface SuggestedTextProps {
  field: string
  value: string
  error: string | null
  onChange: (value: string) => void
}

/** A text that is compared with; where the directory keeps the values of a field, those are suggested. */
export function SuggestedText({ field, value, error, onChange }: SuggestedTextProps) {
  const { t } = useTranslation(['conditions', 'common'])
  const { options, onSearch, suggests } = useSuggestions(field, undefined)
  const given = { label: t('conditions:value'), hideLabel: true, value, error, longest: LONGEST_TEXT, onChange }
  if (!suggests) return <TextField {...given} toolbar />
  return (
    <ComboField
      {...given}
      toolbar
      options={options}
      onSearch={onSearch}
      onPick={({ label }) => onChange(label)}
      empty={t('conditions:notInUse')}
      loading={t('common:loading')}
    />
  )
}
