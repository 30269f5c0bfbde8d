import { Icon, type IconShape } from './icon.tsx'
import styles from './mark.module.css'

export type MarkTone = 'ok' | 'warn' | 'danger' | 'accent' | 'idle' | 'vip' | 'override'

interface IconMarkProps {
  icon: IconShape
  /** What it means: tooltip and text for screen readers, and shown beside the icon with `showLabel`. */
  label: string
  tone?: MarkTone | undefined
  showLabel?: boolean | undefined
}

/** An icon that states something about a row: locked, VIP, overridden, how an access code is delivered. */
export function IconMark({ icon, label, tone = 'idle', showLabel = false }: IconMarkProps) {
  if (showLabel) {
    return (
      <span className={`${styles.mark} ${styles[tone]}`}>
        <Icon of={icon} />
        {label}
      </span>
    )
  }
  return (
    <span className={`${styles.bare} ${styles[tone]}`} data-tip={label}>
      <Icon of={icon} />
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
