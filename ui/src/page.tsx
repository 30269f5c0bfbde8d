import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Children {
  children: ReactNode
}

/** A page fills the sheet: header, perhaps a toolbar, then a body that scrolls by itself. */
export function Page({ children }: Children) {
  return <div className={styles.page}>{children}</div>
}

/** The scrolling part of a page. `flush` leaves out the padding, for tables that reach the sheet's edges and scroll by themselves. */
export function PageBody({ children, flush = false }: Children & { flush?: boolean }) {
  return <div className={`${styles.body} ${flush ? styles.flush : ''}`}>{children}</div>
}

/** The line of search and filters between header and table. */
export function PageToolbar({ children }: Children) {
  return <div className={styles.toolbar}>{children}</div>
}

/** Main content with a 340 px panel at the inline end; stacked below 900 px. */
export function PageWithSide({ children, side, sideLabel }: Children & { side: ReactNode; sideLabel: string }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <aside className={styles.side} aria-label={sideLabel}>
        {side}
      </aside>
    </div>
  )
}
