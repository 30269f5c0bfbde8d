import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { SelectField } from './select-field.tsx'
import styles from './table-footer.module.css'

interface TableFooterProps {
  /** What is shown; of nothing there are no pages, and it is the empty state's to say so. Undefined while it loads. */
  rows: readonly unknown[] | undefined
  /** "50 of 48,213 shown". */
  shown: ReactNode
  pageSize?: { label: string; value: number; sizes: readonly number[]; onChange: (size: number) => void } | undefined
  /** Absent on the last page. */
  more?: { label: string; busy: boolean; onMore: () => void } | undefined
}

/** Below a table: how much is shown, rows per page, "Show more". */
export function TableFooter({ rows, shown, pageSize, more }: TableFooterProps) {
  const empty = rows?.length === 0 && !more
  return (
    <footer className={empty ? 'visually-hidden' : styles.footer}>
      <span className={styles.shown} aria-live="polite">
        {shown}
      </span>
      {pageSize && !empty && (
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
