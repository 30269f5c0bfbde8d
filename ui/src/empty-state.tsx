import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon, type IconShape } from './icon.tsx'

interface EmptyStateProps {
  icon?: IconShape | undefined
  /** Why there is nothing. */
  title: string
  text?: ReactNode
  /** The next step. */
  actions?: ReactNode
  /** Speaks at once, for errors. */
  alert?: boolean | undefined
}

/** Nothing to show: why, and what to do next. */
export function EmptyState({ icon, title, text, actions, alert = false }: EmptyStateProps) {
  return (
    <div className={styles.empty} role={alert ? 'alert' : undefined}>
      {icon && <Icon of={icon} size={28} />}
      <div>
        <p className={styles.title}>{title}</p>
        {text && <div className={styles.text}>{text}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
