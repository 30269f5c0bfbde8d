import { type ReactNode, useId } from 'react'
import styles from './switch-field.module.css'

interface SwitchFieldProps {
  label: string
  /** What it is now, in a word beside the switch. */
  word: string
  checked: boolean
  disabled?: boolean | undefined
  /** Said below. */
  note?: ReactNode
  overridden?: boolean | undefined
  onChange: (checked: boolean) => void
}

/** Something that is on or off, with a label above and its state in a word. */
export function SwitchField({ label, word, checked, disabled = false, note, overridden = false, onChange }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className={`${styles.field} ${overridden ? styles.overridden : ''}`}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <span className={styles.row}>
        <span className={styles.target}>
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-checked={checked}
            aria-describedby={note ? `${id}-note` : undefined}
            checked={checked}
            disabled={disabled}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span className={styles.track} aria-hidden="true" />
        </span>
        <span aria-hidden="true">{word}</span>
      </span>
      {note && (
        <div id={`${id}-note`} className={styles.note}>
          {note}
        </div>
      )}
    </div>
  )
}
