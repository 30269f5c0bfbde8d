import type { Connector } from '@instep/contract/connectors.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextAreaField } from '@instep/ui/text-area-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { DayInput } from '../../shared/conditions/day-input.tsx'
import styles from './connectors.module.css'
import { type Property, type PropertyValue, shownValue } from './properties.rules.ts'

interface PropertyFieldProps {
  property: Property
  connector: Connector | null
  value: PropertyValue | undefined
  error: string | undefined
  onChange: (value: PropertyValue) => void
}

/** A field of a connector's form: text, secret, choice or switch. */
export function PropertyField({ property, connector, value, error, onChange }: PropertyFieldProps) {
  const { t } = useTranslation('connectors')
  const { name, type, secret, required, choices } = property
  const label = t(`properties.${name}.label`)
  const hint = t(`properties.${name}.hint`, { defaultValue: '' }) || undefined
  const shown = shownValue(property, value, connector)
  if (type === 'switch') return <Checkbox label={label} showLabel checked={shown === true} onChange={onChange} />
  if (type === 'choice')
    return (
      <SelectField
        label={label}
        hint={hint}
        error={error}
        value={String(shown)}
        options={choices.map((choice) => ({ value: choice, label: t(`properties.${name}.choices.${choice}`) }))}
        onChange={onChange}
      />
    )
  if (type === 'date')
    return (
      <div className={styles.dated}>
        <span aria-hidden="true">{label}</span>
        <Suspense fallback={null}>
          <DayInput label={label} value={String(shown)} error={error ?? null} onChange={onChange} />
        </Suspense>
      </div>
    )
  const kept = secret && connector?.secretsSet.includes(name)
  if (type === 'lines')
    return (
      <TextAreaField
        label={label}
        hint={kept ? t('form.secretSet') : hint}
        required={required && !kept}
        error={error}
        dir="ltr"
        spellCheck={false}
        longest={4000}
        value={String(shown)}
        onChange={onChange}
      />
    )
  return (
    <TextField
      label={label}
      hint={kept ? t('form.secretSet') : hint}
      required={required && !kept}
      error={error}
      type={secret ? 'password' : 'text'}
      inputMode={type === 'number' ? 'numeric' : undefined}
      autoComplete={secret ? 'new-password' : 'off'}
      dir="ltr"
      longest={4000}
      value={String(shown)}
      onChange={onChange}
    />
  )
}
