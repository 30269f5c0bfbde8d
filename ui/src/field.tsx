import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

/** What a labelled control takes besides its own properties. */
export interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  required?: boolean | undefined
  /** Keeps the label for screen readers only, where the surroundings show it. */
  hideLabel?: boolean | undefined
  /** Said below the control: where the value comes from, what became of it. */
  note?: ReactNode
  /** The value was set over the source's. */
  overridden?: boolean | undefined
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface FieldFrameProps extends FieldProps {
  children: (wiring: Wiring) => ReactNode
}

/** Label above, hint, control, error below, wired together for screen readers. */
export function Field({ label, hint, error, required, hideLabel, note, overridden, children }: FieldFrameProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const noteId = `${id}-note`
  const described = [hint ? hintId : '', error ? errorId : '', note ? noteId : ''].filter(Boolean).join(' ') || undefined
  return (
    <div className={`${styles.field} ${overridden ? styles.overridden : ''}`}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
        {required && (
          <span className={styles.required} aria-hidden="true">
            {' *'}
          </span>
        )}
      </label>
      {hint && (
        <span id={hintId} className={styles.hint}>
          {hint}
        </span>
      )}
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined, 'aria-required': required || undefined })}
      {error && (
        <span id={errorId} className={styles.error}>
          {error}
        </span>
      )}
      {note && (
        <div id={noteId} className={styles.note}>
          {note}
        </div>
      )}
    </div>
  )
}
