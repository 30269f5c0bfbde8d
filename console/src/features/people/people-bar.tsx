import { BulkAction, BulkBar } from '@instep/ui/bulk-bar.tsx'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import type { People } from './use-people.ts'
import type { Selected } from './use-selection.ts'

interface PeopleBarProps {
  people: People
  selected: Selected
  /** Why the export is not to be had; null where it is. */
  exportOff: string | null
  onExport: () => void
  /** Why those selected cannot be synced; null where they can, undefined where nobody is asked. */
  syncOff: string | null | undefined
  onSync: () => void
}

/** How many people are selected, and what can be done with them. */
export function PeopleBar({ people, selected, exportOff, onExport, syncOff, onSync }: PeopleBarProps) {
  const { t } = useTranslation('people')
  const { number } = useFormat()
  const { size, about } = selected
  const total = people.count
  const everyone =
    selected.offersEveryone && total
      ? {
          label: t(total.exact ? 'selection.everyone' : 'selection.everyoneAbout', { count: total.value, amount: number(total.value) }),
          onSelect: selected.selectEveryone,
        }
      : undefined
  return (
    <BulkBar
      label={t('selection.bar')}
      count={t(about ? 'selection.about' : 'selection.count', { count: size, amount: number(size) })}
      everyone={everyone}
      clear={{ label: t('selection.clear'), onClear: selected.clear }}
    >
      <BulkAction icon={IconDownload} disabledReason={exportOff} onClick={onExport}>
        {t('export.selected')}
      </BulkAction>
      {syncOff !== undefined && (
        <BulkAction icon={IconRefresh} disabledReason={syncOff} onClick={onSync}>
          {t('sync.selected')}
        </BulkAction>
      )}
    </BulkBar>
  )
}
