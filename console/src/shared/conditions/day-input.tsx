import { formDate, readFormDate } from '@instep/contract/form-dates.ts'
import { DateField } from '@instep/ui/date-field.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { WhichDay } from '../which-day.tsx'

interface DayInputProps {
  label: string
  /** `YYYY-MM-DD`; empty while there is none. */
  value: string
  error: string | null
  onChange: (value: string) => void
}

/** A day that is typed or picked. What is no day is no value and says how to write it; what could be two is asked about. */
export function DayInput({ label, value, error, onChange }: DayInputProps) {
  const { t } = useTranslation(['conditions', 'profile'])
  const { locale } = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const unread = typed !== null && typed.trim() !== '' && value === ''
  const read = unread && left ? readFormDate(typed) : undefined
  const choices = read && 'ask' in read ? read.ask : undefined
  const pick = (day: string) => {
    setTyped(null)
    onChange(day)
  }
  const words = {
    open: t('profile:calendar.open', { field: label }),
    previousMonth: t('profile:calendar.previousMonth'),
    nextMonth: t('profile:calendar.nextMonth'),
    month: t('profile:calendar.month'),
    year: t('profile:calendar.year'),
  }
  return (
    <DateField
      label={label}
      hideLabel
      toolbar
      placeholder={t('profile:form.datePlaceholder')}
      locale={locale}
      words={words}
      value={typed ?? formDate(value || null)}
      date={value || null}
      error={choices ? t('profile:problem.askDate') : read ? t('profile:problem.noDate') : error}
      note={choices && <WhichDay days={choices} onChoose={pick} />}
      onChange={(text) => {
        const date = readFormDate(text)
        setTyped(text)
        setLeft(false)
        onChange('date' in date ? date.date : '')
      }}
      onPick={pick}
      onBlur={() => {
        setLeft(true)
        if (value !== '') setTyped(null)
      }}
    />
  )
}
