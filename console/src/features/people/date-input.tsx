import { formDate, readFormDate } from '@instep/contract/form-dates.ts'
import { DateField } from '@instep/ui/date-field.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { WhichDay } from '../../shared/which-day.tsx'
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
