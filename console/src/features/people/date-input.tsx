import { formDate, readFormDate } from '@instep/contract/form-dates.ts'
import { DateField } from '@instep/ui/date-field.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './person.module.css'
import { tidyDate } from './typed-person.rules.ts'

interface DateInputProps {
  field: {
    label: string
    required?: boolean | undefined
    error?: string | undefined
    overridden?: boolean | undefined
    note?: ReactNode
    hint?: string | undefined
  }
  readOnly?: boolean | undefined
  /** The calendar opens upwards. */
  above?: boolean | undefined
  value: string
  onChange: (value: string) => void
  onLeave?: (() => void) | undefined
}

const KEPT = /^\d{4}-\d{2}-\d{2}$/

/** A date that is typed in any usual way or picked; what could be two days is asked about. */
export function DateInput({ field, readOnly = false, above, value, onChange, onLeave }: DateInputProps) {
  const { t } = useTranslation('profile')
  const { locale } = useFormat()
  const [typing, setTyping] = useState<string | null>(null)
  const shown = typing ?? (KEPT.test(value) ? formDate(value) : value)
  const read = shown.trim() === '' ? undefined : readFormDate(shown)
  const choices = typing === null && read && 'ask' in read ? read.ask : undefined
  const words = {
    open: t('calendar.open', { field: field.label }),
    previousMonth: t('calendar.previousMonth'),
    nextMonth: t('calendar.nextMonth'),
    month: t('calendar.month'),
    year: t('calendar.year'),
  }
  return (
    <DateField
      {...field}
      note={choices ? <WhichDay days={choices} onChoose={(day) => onChange(formDate(day))} /> : field.note}
      placeholder={t('form.datePlaceholder')}
      readOnly={readOnly}
      above={above}
      locale={locale}
      words={words}
      value={shown}
      date={read && 'date' in read ? read.date : null}
      onChange={(text) => {
        setTyping(text)
        onChange(text)
      }}
      onPick={(day) => {
        setTyping(null)
        onChange(formDate(day))
      }}
      onBlur={() => {
        if (typing !== null) onChange(tidyDate(typing))
        setTyping(null)
        onLeave?.()
      }}
    />
  )
}

interface WhichDayProps {
  days: readonly [string, string]
  onChoose: (day: string) => void
}

/** "5 March 2024 or 3 May 2024?" */
function WhichDay({ days, onChoose }: WhichDayProps) {
  const { t } = useTranslation('profile')
  const { locale } = useFormat()
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn', calendar: 'gregory' })
  const [first, second] = days.map((day) => ({ day, name: format.format(new Date(`${day}T00:00:00Z`)) })) as [Day, Day]
  const button = ({ day, name }: Day) => (
    <button type="button" className={styles.day} onClick={() => onChoose(day)}>
      {name}
    </button>
  )
  return (
    <span role="alert" className={styles.whichDay}>
      {button(first)} {t('form.or')} {button(second)}?
    </span>
  )
}

interface Day {
  readonly day: string
  readonly name: string
}
