import { formDate, readFormDate } from '@instep/contract/form-dates.ts'
import { DateField } from '@instep/ui/date-field.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

interface DayInputProps {
  label: string
  /** `YYYY-MM-DD`; empty while there is none. */
  value: string
  error: string | null
  onChange: (value: string) => void
}

/** A day that is typed or picked. What is no day, or could be two, is no value and says how to write it. */
export function DayInput({ label, value, error, onChange }: DayInputProps) {
  const { t } = useTranslation(['conditions', 'profile'])
  const { locale } = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const unread = typed !== null && typed.trim() !== '' && value === ''
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
      error={unread && left ? t('profile:problem.noDate') : error}
      onChange={(text) => {
        const read = readFormDate(text)
        setTyped(text)
        setLeft(false)
        onChange('date' in read ? read.date : '')
      }}
      onPick={(day) => {
        setTyped(null)
        onChange(day)
      }}
      onBlur={() => {
        setLeft(true)
        if (value !== '') setTyped(null)
      }}
    />
  )
}
