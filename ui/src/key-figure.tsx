import type { ReactNode } from 'react'
import styles from './figure-strip.module.css'

interface KeyFigureProps {
  label: string
  /** The formatted number; give a link with the class `keyFigureValue` to make the whole figure one. */
  value: ReactNode
  /** A change or a remark beside the number. */
  note?: ReactNode
  tone?: 'good' | 'bad' | undefined
}

/** The class of a key figure's number, for a link in its place. */
export const keyFigureValue: string = styles.value ?? ''

/** One large number with its name; stands in a `FigureStrip`. */
export function KeyFigure({ label, value, note, tone }: KeyFigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.line}>
        {typeof value === 'string' ? <bdi className={styles.value}>{value}</bdi> : value}
        {note && <span className={`${styles.note} ${tone ? styles[tone] : ''}`}>{note}</span>}
      </dd>
    </div>
  )
}
