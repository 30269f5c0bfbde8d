import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'required' | 'onChange' | 'value' | 'size'> {
  value: string
  onChange: (value: string) => void
  /** 30 px high, for toolbars. */
  toolbar?: boolean | undefined
}

/** A one-line text input with label, hint and error. */
export function TextField({
  label,
  hint,
  error,
  required,
  hideLabel,
  note,
  overridden,
  toolbar,
  value,
  onChange,
  ...rest
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, required, hideLabel, note, overridden }}>
      {(wiring) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...wiring}
          className={`${styles.control} ${toolbar ? styles.toolbar : ''}`}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
