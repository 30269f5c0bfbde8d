import { IconAlertOctagon, IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { Icon, type IconShape } from './icon.tsx'
import styles from './mark.module.css'

export type EventLevel = 'error' | 'warning' | 'success' | 'information'

const LEVELS: Record<EventLevel, { icon: IconShape; tone: string | undefined }> = {
  error: { icon: IconAlertOctagon, tone: styles.danger },
  warning: { icon: IconAlertTriangle, tone: styles.warn },
  success: { icon: IconCheck, tone: styles.ok },
  information: { icon: IconInfoCircle, tone: styles.info },
}

interface EventBadgeProps {
  level: EventLevel
  /** The level in words, or a dotted event type. */
  word: string
}

/** A log level: a soft badge with its own shape. */
export function EventBadge({ level, word }: EventBadgeProps) {
  const { icon, tone } = LEVELS[level]
  return (
    <span className={`${styles.mark} ${styles.badge} ${tone}`}>
      <Icon of={icon} size={14} />
      {word}
    </span>
  )
}
