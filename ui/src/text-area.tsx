import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'

export interface TextAreaProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'required' | 'onChange' | 'value'> {
  value: string
  onChange: (value: string) => void
}

/** An input of several lines with label, hint and error. */
export function TextArea({ label, hint, error, required, hideLabel, note, overridden, value, onChange, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, required, hideLabel, note, overridden }}>
      {(wiring) => (
        <textarea
          autoComplete="off"
          {...rest}
          {...wiring}
          className={`${styles.control} ${styles.area}`}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
