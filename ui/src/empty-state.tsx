import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon, type IconShape } from './icon.tsx'

interface EmptyStateProps {
  icon?: IconShape | undefined
  /** Why there is nothing. */
  title: string
  /** It stands alone on the page: its title is the page's heading. */
  page?: boolean | undefined
  text?: ReactNode
  /** The next step. */
  actions?: ReactNode
  /** Speaks at once, for errors. */
  alert?: boolean | undefined
}

/** Nothing to show: why, and what to do next. */
export function EmptyState({ icon, title, text, actions, page = false, alert = false }: EmptyStateProps) {
  return (
    <div className={`${styles.empty} ${page ? styles.page : ''}`} role={alert ? 'alert' : undefined}>
      {icon && <Icon of={icon} size={28} />}
      <div>
        {page ? <h1 className={styles.title}>{title}</h1> : <p className={styles.title}>{title}</p>}
        {text && <div className={styles.text}>{text}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
