import { IconCalendar } from '@tabler/icons-react'
import { type ComponentProps, lazy, Suspense } from 'react'
import type { CalendarWords } from './calendar.tsx'
import styles from './date-field.module.css'
import control from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { Popover } from './popover.tsx'

const Calendar = lazy(() => import('./calendar.tsx').then((module) => ({ default: module.Calendar })))

interface DateFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'required' | 'onChange' | 'value' | 'size'> {
  /** As it was typed. */
  value: string
  /** What is typed, as `YYYY-MM-DD`; null while it is no date. */
  date: string | null
  locale: string
  words: CalendarWords & { open: string }
  /** The calendar opens upwards. */
  above?: boolean | undefined
  /** 30 px high, for toolbars. */
  toolbar?: boolean | undefined
  onChange: (value: string) => void
  /** Told `YYYY-MM-DD` when a day was picked in the calendar. */
  onPick: (date: string) => void
}

/** A date that is typed, with a calendar beside to pick from; who reads what was typed is the caller. */
export function DateField({ value, date, locale, words, above, toolbar, onChange, onPick, ...others }: DateFieldProps) {
  const { label, hint, error, required, hideLabel, note, overridden, ...rest } = others
  return (
    <Field {...{ label, hint, error, required, hideLabel, note, overridden }}>
      {(wiring) => (
        <span className={styles.anchor}>
          <input
            type="text"
            autoComplete="off"
            {...rest}
            {...wiring}
            className={`${control.control} ${styles.input} ${toolbar ? control.toolbar : ''} figures`}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <span className={`${styles.button} ${toolbar ? styles.low : ''}`}>
            <Popover
              align="end"
              above={above}
              width="272px"
              trigger={(props) => <IconButton {...props} icon={IconCalendar} label={words.open} />}
            >
              {(close) => (
                <Suspense fallback={<div className={styles.waiting} />}>
                  <Calendar
                    label={label}
                    date={date}
                    locale={locale}
                    words={words}
                    onPick={(picked) => {
                      onPick(picked)
                      close()
                    }}
                  />
                </Suspense>
              )}
            </Popover>
          </span>
        </span>
      )}
    </Field>
  )
}
