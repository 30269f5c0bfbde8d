import type { ReactNode } from 'react'
import styles from './page-header.module.css'
import { useUiWords } from './ui-words.tsx'

interface PageHeaderProps {
  title: ReactNode
  /** A live count or a subtitle beside the title. */
  aside?: ReactNode
  /** Buttons at the inline end; at most one is primary. */
  actions?: ReactNode
  /** Something is loading: a 2 px line travels under the title after 300 ms; what is on screen stays. */
  busy?: boolean | undefined
  /** Draws a line below, where no toolbar or table head follows. */
  ruled?: boolean | undefined
}

/** The first line of every page. */
export function PageHeader({ title, aside, actions, busy = false, ruled = false }: PageHeaderProps) {
  const words = useUiWords()
  return (
    <header className={`${styles.header} ${ruled ? styles.ruled : ''}`}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {aside && (
          <span className={styles.aside} aria-live="polite">
            {aside}
          </span>
        )}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
      {busy && <div className={styles.progress} role="progressbar" aria-label={words.loading} />}
    </header>
  )
}
