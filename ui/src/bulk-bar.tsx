import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './bulk-bar.module.css'
import { Icon, type IconShape } from './icon.tsx'

interface BulkBarProps {
  label: string
  /** "5 selected". */
  count: string
  /** `BulkAction`s. */
  children: ReactNode
  clear: { label: string; onClear: () => void }
}

/** Floats above the end of a table while rows are selected; its surroundings are `position: relative`. */
export function BulkBar({ label, count, children, clear }: BulkBarProps) {
  return (
    <div className={styles.bar} role="toolbar" aria-label={label}>
      <span className={styles.count} role="status">
        {count}
      </span>
      <span className={styles.line} />
      {children}
      <button type="button" className={styles.action} aria-label={clear.label} data-tip={clear.label} onClick={clear.onClear}>
        <Icon of={IconX} size={16} />
      </button>
    </div>
  )
}

interface BulkActionProps {
  icon: IconShape
  /** Why it cannot be done now. */
  disabledReason?: string | null | undefined
  onClick: () => void
  children: ReactNode
}

/** Something that can be done with what is selected. */
export function BulkAction({ icon, disabledReason, onClick, children }: BulkActionProps) {
  return (
    <button
      type="button"
      className={styles.action}
      aria-disabled={disabledReason ? true : undefined}
      aria-description={disabledReason ?? undefined}
      data-tip={disabledReason ?? undefined}
      onClick={() => !disabledReason && onClick()}
    >
      <Icon of={icon} />
      {children}
    </button>
  )
}
