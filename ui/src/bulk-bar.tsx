import { IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import styles from './bulk-bar.module.css'
import { Icon, type IconShape } from './icon.tsx'

interface BulkBarProps {
  label: string
  /** "5 selected". */
  count: string
  /** Offers those beyond the rows that are shown. */
  everyone?: { label: string; onSelect: () => void } | undefined
  /** `BulkAction`s. */
  children: ReactNode
  clear: { label: string; onClear: () => void }
}

/** Floats above the end of a table while rows are selected; it stands beside the table in surroundings that are `position: relative`. */
export function BulkBar({ label, count, everyone, children, clear }: BulkBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const clearAll = () => {
    // the bar goes away under the focus: it returns to the box of the whole page
    bar.current?.parentElement?.querySelector<HTMLElement>('thead input')?.focus()
    clear.onClear()
  }
  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label={label}>
      <span className={styles.count} role="status">
        {count}
      </span>
      {everyone && (
        <button type="button" className={styles.action} onClick={everyone.onSelect}>
          {everyone.label}
        </button>
      )}
      <span className={styles.line} />
      {children}
      <button type="button" className={styles.action} aria-label={clear.label} data-tip={clear.label} onClick={clearAll}>
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
