import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/use-format.ts'
import styles from './which-day.module.css'

interface WhichDayProps {
  days: readonly [string, string]
  onChoose: (day: string) => void
}

/** "5 March 2024 or 3 May 2024?" */
export function WhichDay({ days, onChoose }: WhichDayProps) {
  const { t } = useTranslation('profile')
  const { locale } = useFormat()
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn', calendar: 'gregory' })
  const button = (day: string) => (
    <button type="button" className={styles.day} onClick={() => onChoose(day)}>
      {format.format(new Date(`${day}T00:00:00Z`))}
    </button>
  )
  return (
    <span role="alert" className={styles.question}>
      {button(days[0])} {t('form.or')} {button(days[1])}?
    </span>
  )
}
