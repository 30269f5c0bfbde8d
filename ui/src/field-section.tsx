import type { ReactNode } from 'react'
import styles from './field-section.module.css'

interface FieldSectionProps {
  title: string
  hint?: ReactNode
  /** 2 directly below the title of a page, 3 in a drawer, whose title is a heading of its own. */
  level?: 2 | 3 | undefined
  children: ReactNode
}

/** Part of a form or a profile: title and hint in a 150 px column, fields in two columns beside. */
export function FieldSection({ title, hint, level = 3, children }: FieldSectionProps) {
  const Heading = `h${level}` as const
  return (
    <section className={styles.section} aria-label={title}>
      <div>
        <Heading className={styles.title}>{title}</Heading>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      <div className={styles.grid}>{children}</div>
    </section>
  )
}

interface ShownFieldProps {
  label: string
  /** A dash is shown for nothing. */
  value: ReactNode
  /** What is said below when an administrator has set the value over the source's. */
  overridden?: ReactNode
  /** Said below in any case. */
  below?: ReactNode
  /** Beside the label: a button that tells where the value comes from. */
  action?: ReactNode
  /** Takes both columns. */
  wide?: boolean | undefined
}

/** A field in view mode: label and text. */
export function ShownField({ label, value, overridden, below, action, wide = false }: ShownFieldProps) {
  const empty = value === null || value === undefined || value === ''
  return (
    <dl className={`${styles.shown} ${wide ? styles.wide : ''}`}>
      <dt>
        {label}
        {action}
      </dt>
      <dd>{overridden ? <span className={styles.overridden}>{empty ? '–' : value}</span> : empty ? '–' : value}</dd>
      {overridden && <dd className={styles.restored}>{overridden}</dd>}
      {below && <dd>{below}</dd>}
    </dl>
  )
}
