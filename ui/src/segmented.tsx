import { useId } from 'react'
import styles from './segmented.module.css'

export interface Segment<Value extends string> {
  value: Value
  label: string
}

interface SegmentedProps<Value extends string> {
  /** What is chosen between, for screen readers. */
  label: string
  segments: readonly Segment<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** The choice is shown and cannot be changed. */
  disabled?: boolean | undefined
}

/** One choice of a few, as pressed segments; native radio buttons underneath, so arrow keys work. */
export function Segmented<Value extends string>({ label, segments, value, onChange, disabled }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.segmented} aria-label={label} disabled={disabled}>
      {segments.map((segment) => (
        <label key={segment.value} className={styles.segment}>
          <input type="radio" name={name} checked={segment.value === value} onChange={() => onChange(segment.value)} />
          <span>{segment.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
