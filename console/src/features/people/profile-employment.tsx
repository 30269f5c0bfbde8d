import type { UserDetails } from '@instep/contract/users.ts'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { IconCalendarOff, IconCalendarTime, IconCalendarUp, IconHourglass } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './person.module.css'

const MARKS = {
  startsOn: { icon: IconCalendarUp, tone: 'idle' },
  endsOn: { icon: IconCalendarTime, tone: 'warn' },
  endedOn: { icon: IconCalendarOff, tone: 'idle' },
} as const

type Shown = Pick<UserDetails, 'employment' | 'startDate' | 'endDate' | 'keptUntil'>

const markOf = ({ employment, startDate, endDate }: Shown): { mark: keyof typeof MARKS; day: string } | null => {
  if (employment === 'notStarted') return startDate === null ? null : { mark: 'startsOn', day: startDate }
  if (endDate === null) return null
  if (employment === 'ended') return { mark: 'endedOn', day: endDate }
  return employment === 'employed' ? { mark: 'endsOn', day: endDate } : null
}

/**
 * What the dates say of somebody: that they have not yet started, until when they are here, or that they have ended; and until when somebody
 * deactivated is kept.
 */
export function ProfileEmployment({ person }: { person: Shown }) {
  const { t } = useTranslation('profile')
  const { date } = useFormat()
  const said = markOf(person)
  const { keptUntil } = person
  if (!said && !keptUntil) return null
  return (
    <div className={styles.employment}>
      {said && <IconMark {...MARKS[said.mark]} label={t(`account.${said.mark}`, { date: date(said.day) })} showLabel />}
      {keptUntil && (
        <IconMark icon={IconHourglass} tone="idle" label={t('account.keptUntil', { date: date(keptUntil.slice(0, 10)) })} showLabel />
      )}
    </div>
  )
}
