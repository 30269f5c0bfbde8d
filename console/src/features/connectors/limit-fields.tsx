import { GUARD_WINDOWS } from '@instep/contract/guard-settings.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useTranslation } from 'react-i18next'
import styles from './guards.module.css'
import { PEOPLE, PERCENT, readNumber, type TypedLimit, type TypedWindows } from './guards.rules.ts'

interface NumberFieldProps {
  label: string
  range: typeof PERCENT
  value: string
  onChange: (value: string) => void
}

/** A number that says at once when it is none. */
export function NumberField({ label, range, value, onChange }: NumberFieldProps) {
  const { t } = useTranslation('guards')
  return (
    <TextField
      label={label}
      inputMode="decimal"
      error={readNumber(value, range) === undefined ? t('range', { min: range.min, max: range.max }) : undefined}
      value={value}
      onChange={onChange}
    />
  )
}

interface LimitFieldsProps {
  label: string
  value: TypedLimit
  onChange: (value: TypedLimit) => void
}

/** A limit: on or off, a percentage and a number of people, the larger of which may pass. */
export function LimitFields({ label, value, onChange }: LimitFieldsProps) {
  const { t } = useTranslation('guards')
  return (
    <div className={styles.limit}>
      <Checkbox label={label} showLabel checked={value.on} onChange={(on) => onChange({ ...value, on })} />
      {value.on && (
        <div className={styles.numbers}>
          <NumberField label={t('percent')} range={PERCENT} value={value.percent} onChange={(percent) => onChange({ ...value, percent })} />
          <NumberField label={t('number')} range={PEOPLE} value={value.number} onChange={(number) => onChange({ ...value, number })} />
        </div>
      )}
    </div>
  )
}

interface WindowFieldsProps {
  title: string
  hint?: string
  value: TypedWindows
  onChange: (value: TypedWindows) => void
}

/** The limits of one kind, for a run and for a day. */
export function WindowFields({ title, hint, value, onChange }: WindowFieldsProps) {
  const { t } = useTranslation('guards')
  return (
    <fieldset className={styles.kind}>
      <legend>{title}</legend>
      {hint && <p className={styles.muted}>{hint}</p>}
      {GUARD_WINDOWS.map((window) => (
        <LimitFields
          key={window}
          label={t(`windows.${window}`)}
          value={value[window]}
          onChange={(limit) => onChange({ ...value, [window]: limit })}
        />
      ))}
    </fieldset>
  )
}
