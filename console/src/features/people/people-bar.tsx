import { PEOPLE_ADMINS } from '@instep/contract/roles.ts'
import { EDITING_USERS } from '@instep/contract/users.ts'
import { BulkAction, BulkBar } from '@instep/ui/bulk-bar.tsx'
import { IconDownload, IconMapPin, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
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
  onMove: () => void
}

// as the call says it, whose declaration need not be there before the dialog is
const MOST_MOVED = 1000
const MOVING = { who: { roles: PEOPLE_ADMINS, ...EDITING_USERS } }

/** How many people are selected, and what can be done with them. */
export function PeopleBar({ people, selected, exportOff, onExport, syncOff, onSync, onMove }: PeopleBarProps) {
  const { t } = useTranslation('people')
  const { number } = useFormat()
  const { size, about, leftOut } = selected
  const total = people.count
  const moveOff = useRefusal().ofCall(MOVING)
  const tooMany = 'everyoneBut' in selected.selection || size > MOST_MOVED ? t('move.tooMany', { amount: number(MOST_MOVED) }) : null
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
      count={
        about
          ? t(leftOut > 0 ? 'selection.aboutBut' : 'selection.about', {
              count: size,
              amount: number(total?.value ?? 0),
              left: number(leftOut),
            })
          : t('selection.count', { count: size, amount: number(size) })
      }
      everyone={everyone}
      clear={{ label: t('selection.clear'), onClear: selected.clear }}
    >
      <BulkAction icon={IconMapPin} disabledReason={moveOff ?? tooMany} onClick={onMove}>
        {t('move.open')}
      </BulkAction>
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
