import type { ComponentProps } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { useTooLong } from './use-too-long.ts'

export interface TextFieldProps
  extends FieldProps,
    Omit<ComponentProps<'input'>, 'required' | 'onChange' | 'value' | 'size' | 'maxLength'> {
  value: string
  onChange: (value: string) => void
  /** More characters than this are said to be too many, never cut off. */
  longest?: number | undefined
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
  longest,
  toolbar,
  value,
  onChange,
  ...rest
}: TextFieldProps) {
  const tooLong = useTooLong(value, longest)
  return (
    <Field {...{ label, hint, error: tooLong ?? error, required, hideLabel, note, overridden }}>
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
