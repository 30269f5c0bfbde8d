import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import styles from './calendar.module.css'
import { addDays, addMonths, dayOfKey, monthGrid, today, yearOf } from './calendar-days.ts'
import { IconButton } from './icon-button.tsx'

export interface CalendarWords {
  previousMonth: string
  nextMonth: string
  month: string
  year: string
}

interface CalendarProps {
  label: string
  /** `YYYY-MM-DD`; null for none yet. */
  date: string | null
  locale: string
  words: CalendarWords
  onPick: (date: string) => void
}

const YEARS_BACK = 100
const YEARS_AHEAD = 10
// any week that starts on a Monday names the days
const MONDAY = '2024-01-01'

const named = (date: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', numberingSystem: 'latn', calendar: 'gregory' }).format(
    new Date(`${date}T00:00:00Z`),
  )

/** A month to pick a day from. Arrow keys move by day and week, Home and End within a week, Page Up and Down by month, with Shift by year. */
export function Calendar({ label, date, locale, words, onPick }: CalendarProps) {
  const [at, setAt] = useState(date ?? today())
  const grid = useRef<HTMLTableElement>(null)
  const focusDay = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus follows the day that the keys have moved to
  useEffect(() => {
    if (focusDay.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    focusDay.current = false
  }, [at])
  useEffect(() => {
    grid.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
  }, [])
  const go = (next: string) => {
    focusDay.current = true
    setAt(next)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const next = dayOfKey(at, event.key, { shift: event.shiftKey, rtl: getComputedStyle(event.currentTarget).direction === 'rtl' })
    if (!next) return
    event.preventDefault()
    go(next)
  }
  const year = yearOf(at)
  const thisYear = yearOf(today())
  const years = [...new Set([year, ...Array.from({ length: YEARS_BACK + YEARS_AHEAD + 1 }, (_, index) => thisYear + YEARS_AHEAD - index)])]
  return (
    <section className={styles.calendar} aria-label={label}>
      <div className={styles.head}>
        <IconButton icon={IconChevronLeft} mirrors small label={words.previousMonth} onClick={() => setAt(addMonths(at, -1))} />
        <select
          aria-label={words.month}
          value={at.slice(5, 7)}
          onChange={(event) => setAt(addMonths(at, Number(event.currentTarget.value) - Number(at.slice(5, 7))))}
        >
          {Array.from({ length: 12 }, (_, index) => `2024-${String(index + 1).padStart(2, '0')}-01`).map((month) => (
            <option key={month} value={month.slice(5, 7)}>
              {named(month, locale, { month: 'long' })}
            </option>
          ))}
        </select>
        <select
          aria-label={words.year}
          value={year}
          onChange={(event) => setAt(addMonths(at, (Number(event.currentTarget.value) - year) * 12))}
        >
          {years
            .sort((first, second) => second - first)
            .map((one) => (
              <option key={one}>{one}</option>
            ))}
        </select>
        <IconButton icon={IconChevronRight} mirrors small label={words.nextMonth} onClick={() => setAt(addMonths(at, 1))} />
      </div>
      <table ref={grid} className={styles.grid} aria-label={named(at, locale, { month: 'long', year: 'numeric' })} onKeyDown={press}>
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, index) => addDays(MONDAY, index)).map((day) => (
              <th key={day} scope="col" abbr={named(day, locale, { weekday: 'long' })}>
                {named(day, locale, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthGrid(at).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    tabIndex={day === at ? 0 : -1}
                    aria-pressed={day === date}
                    aria-current={day === today() ? 'date' : undefined}
                    aria-label={named(day, locale, { dateStyle: 'full' })}
                    className={`${styles.day} ${day.slice(0, 7) === at.slice(0, 7) ? '' : styles.outside}`}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
