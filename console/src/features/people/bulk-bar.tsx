import { Icon } from '@instep/ui/icon.tsx'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './bulk-bar.module.css'
import type { People } from './use-people.ts'
import type { Selected } from './use-selection.ts'

interface BulkBarProps {
  people: People
  selected: Selected
  /** Why the export is not to be had; null where it is. */
  exportOff: string | null
  onExport: () => void
}

/** How many people are selected, and what can be done with them. */
export function BulkBar({ people, selected, exportOff, onExport }: BulkBarProps) {
  const { t } = useTranslation('people')
  const { number } = useFormat()
  const bar = useRef<HTMLDivElement>(null)
  const { size, about } = selected
  const total = people.count
  const clear = () => {
    // the bar goes away under the focus: it returns to the box of the whole page
    bar.current?.parentElement?.querySelector<HTMLElement>('thead input')?.focus()
    selected.clear()
  }
  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label={t('selection.bar')}>
      <span className={styles.count} role="status">
        {t(about ? 'selection.about' : 'selection.count', { count: size, amount: number(size) })}
      </span>
      {selected.offersEveryone && total && (
        <button type="button" className={styles.action} onClick={selected.selectEveryone}>
          {t(total.exact ? 'selection.everyone' : 'selection.everyoneAbout', { count: total.value, amount: number(total.value) })}
        </button>
      )}
      <span className={styles.line} />
      <button
        type="button"
        className={styles.action}
        aria-disabled={exportOff ? true : undefined}
        aria-description={exportOff ?? undefined}
        data-tip={exportOff ?? undefined}
        onClick={() => !exportOff && onExport()}
      >
        <Icon of={IconDownload} />
        {t('export.selected')}
      </button>
      <button type="button" className={styles.action} aria-label={t('selection.clear')} data-tip={t('selection.clear')} onClick={clear}>
        <Icon of={IconX} size={16} />
      </button>
    </div>
  )
}
