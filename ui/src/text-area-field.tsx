import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { useTooLong } from './use-too-long.ts'

interface TextAreaFieldProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'required' | 'onChange' | 'value' | 'maxLength'> {
  value: string
  onChange: (value: string) => void
  /** More characters than this are said to be too many, never cut off. */
  longest?: number | undefined
}

/** A text of several lines with label, hint and error. */
export function TextAreaField({
  label,
  hint,
  error,
  required,
  hideLabel,
  note,
  overridden,
  longest,
  value,
  onChange,
  ...rest
}: TextAreaFieldProps) {
  const tooLong = useTooLong(value, longest)
  return (
    <Field {...{ label, hint, error: tooLong ?? error, required, hideLabel, note, overridden }}>
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
