import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean | undefined
}

export interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, 'required' | 'onChange' | 'value' | 'size'> {
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** 30 px high, for toolbars. */
  toolbar?: boolean | undefined
}

/** The platform's own select with label, hint and error; for lists short enough to need no search. */
export function SelectField({ toolbar, value, options, onChange, ...others }: SelectFieldProps) {
  const { label, hint, error, required, hideLabel, note, overridden, ...rest } = others
  return (
    <Field {...{ label, hint, error, required, hideLabel, note, overridden }}>
      {(wiring) => (
        <span className={styles.select}>
          <select
            {...rest}
            {...wiring}
            className={`${styles.control} ${toolbar ? styles.toolbar : ''}`}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon of={IconSelector} size={14} />
        </span>
      )}
    </Field>
  )
}
