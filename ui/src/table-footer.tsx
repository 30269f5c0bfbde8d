import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { SelectField } from './select-field.tsx'
import styles from './table-footer.module.css'

interface TableFooterProps {
  /** "50 of 48,213 shown". */
  shown: ReactNode
  pageSize?: { label: string; value: number; sizes: readonly number[]; onChange: (size: number) => void } | undefined
  /** Absent on the last page. */
  more?: { label: string; busy: boolean; onMore: () => void } | undefined
}

/** Below a table: how much is shown, rows per page, "Show more". */
export function TableFooter({ shown, pageSize, more }: TableFooterProps) {
  return (
    <footer className={styles.footer}>
      <span className={styles.shown} aria-live="polite">
        {shown}
      </span>
      {pageSize && (
        <SelectField
          label={pageSize.label}
          hideLabel
          toolbar
          value={String(pageSize.value)}
          options={pageSize.sizes.map((size) => ({ value: String(size), label: String(size) }))}
          onChange={(value) => pageSize.onChange(Number(value))}
        />
      )}
      {more && (
        <Button busy={more.busy} onClick={more.onMore}>
          {more.label}
        </Button>
      )}
    </footer>
  )
}
