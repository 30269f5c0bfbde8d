import type { ReactNode } from 'react'
import styles from './timeline.module.css'

export interface TimelineEntry {
  key: string
  time: ReactNode
  content: ReactNode
}

interface TimelineProps {
  label: string
  /** In the order they are shown. */
  entries: readonly TimelineEntry[]
}

/** Entries along a vertical rail. */
export function Timeline({ label, entries }: TimelineProps) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {entries.map((entry) => (
        <li key={entry.key} className={styles.entry}>
          <div className={styles.time}>{entry.time}</div>
          {entry.content}
        </li>
      ))}
    </ol>
  )
}
