import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface SectionProps {
  title: string
  hint?: ReactNode
  actions?: ReactNode
  /** Draws a line above. */
  ruled?: boolean | undefined
  children: ReactNode
}

/** A titled part of a page. */
export function Section({ title, hint, actions, ruled = false, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`${styles.section} ${ruled ? styles.ruled : ''}`}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions}
        {hint && <p>{hint}</p>}
      </div>
      {children}
    </section>
  )
}
