/**
 * Dates, instants, numbers and durations as the console writes them: DD/MM/YYYY and UTC everywhere, numbers in the reader's language with
 * Latin digits, so that ids, dates and counts agree.
 */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const two = (value: number): string => String(value).padStart(2, '0')

/** `2024-05-03` → `03/05/2024`; empty for nothing, the text itself for what is no date. */
export const formatDate = (date: string | null | undefined): string => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(date ?? '')
  return parts ? `${parts[3]}/${parts[2]}/${parts[1]}` : (date ?? '')
}

/** An ISO instant → `03/05/2024 06:00:09`, UTC. */
export const formatInstant = (instant: string | null | undefined): string => {
  const at = new Date(instant ?? Number.NaN)
  if (Number.isNaN(at.getTime())) return ''
  return `${formatDate(at.toISOString())} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
}

/** `48,213` in the reader's language. */
export const formatNumber = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(value)

/** A share of 0 to 1 → `12%` in the reader's language. */
export const formatShare = (share: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, numberingSystem: 'latn' }).format(share)

/** Bytes → `1.4 MB` in the reader's language. */
export const formatBytes = (bytes: number, locale: string): string => {
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const unit = ['byte', 'kilobyte', 'megabyte', 'gigabyte'][power]
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: unit ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
    numberingSystem: 'latn',
  }).format(bytes / 1000 ** power)
}

/** Today and yesterday by name with the time, `Today 06:00`; older instants as `18/11/2026 06:00`. Days are those of UTC. */
export const formatRelativeDay = (instant: string, locale: string, now: Date): string => {
  const at = new Date(instant)
  const days = Math.floor(at.getTime() / DAY) - Math.floor(now.getTime() / DAY)
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
  if (days !== 0 && days !== -1) return `${formatDate(at.toISOString())} ${time}`
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
  return `${word.charAt(0).toLocaleUpperCase(locale)}${word.slice(1)} ${time}`
}

/** Milliseconds → `4 m 12 s`, `1 h 02 m`, `0.8 s`, with the unit letters of the reader's language. */
export const formatDuration = (milliseconds: number, locale: string): string => {
  const unit = (
    value: number,
    name: 'hour' | 'minute' | 'second',
    digits: { minimumIntegerDigits?: number; maximumFractionDigits?: number } = {},
  ) => {
    const parts = new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      numberingSystem: 'latn',
      ...digits,
    }).formatToParts(value)
    const letters = parts.find((part) => part.type === 'unit')?.value ?? ''
    const number = parts.filter((part) => part.type !== 'unit' && part.type !== 'literal').map((part) => part.value)
    return `${number.join('')} ${letters}`
  }
  if (milliseconds < 10 * SECOND) return unit(milliseconds / SECOND, 'second', { maximumFractionDigits: 1 })
  const seconds = Math.round(milliseconds / SECOND)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const padded = { minimumIntegerDigits: 2 }
  if (hours > 0) return `${unit(hours, 'hour')} ${unit(minutes, 'minute', padded)}`
  return minutes > 0 ? `${unit(minutes, 'minute')} ${unit(seconds % 60, 'second', padded)}` : unit(seconds, 'second')
}
