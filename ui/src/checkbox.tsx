import type { ChangeEvent, MouseEvent } from 'react'
import styles from './checkbox.module.css'

interface CheckboxProps {
  label: string
  checked: boolean
  indeterminate?: boolean | undefined
  /** Shows the label beside the box. */
  showLabel?: boolean | undefined
  onChange: (checked: boolean, event: ChangeEvent<HTMLInputElement>) => void
  onClick?: ((event: MouseEvent<HTMLInputElement>) => void) | undefined
}

/** The native checkbox, 16 px in a 28 px target. */
export function Checkbox({ label, checked, indeterminate = false, showLabel = false, onChange, onClick }: CheckboxProps) {
  return (
    <label className={styles.target}>
      <input
        type="checkbox"
        aria-label={showLabel ? undefined : label}
        checked={checked}
        ref={(element) => {
          if (element) element.indeterminate = indeterminate
        }}
        onChange={(event) => onChange(event.currentTarget.checked, event)}
        onClick={onClick}
      />
      {showLabel && <span>{label}</span>}
    </label>
  )
}
