import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'

interface TextAreaFieldProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'required' | 'onChange' | 'value'> {
  value: string
  onChange: (value: string) => void
}

/** A text of several lines with label, hint and error. */
export function TextAreaField({ label, hint, error, required, hideLabel, note, overridden, value, onChange, ...rest }: TextAreaFieldProps) {
  return (
    <Field {...{ label, hint, error, required, hideLabel, note, overridden }}>
      {(wiring) => (
        <textarea
          autoComplete="off"
          {...rest}
          {...wiring}
          className={styles.control}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
