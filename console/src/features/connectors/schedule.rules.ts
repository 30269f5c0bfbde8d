/** A schedule as a person chooses it, and as a cron expression. */

export const PRESETS = ['hourly', 'daily', 'weekdays', 'weekly', 'custom'] as const
export type Preset = (typeof PRESETS)[number]

export interface Choice {
  readonly preset: Preset
  /** `HH:MM`; of an hourly one the minute counts. */
  readonly time: string
  /** 0 is Sunday. */
  readonly weekday: number
  /** What is typed where nothing else fits. */
  readonly cron: string
}

const two = (value: string | number): string => String(value).padStart(2, '0')

/** What a cron expression is among the presets. */
export const choiceOf = (cron: string): Choice => {
  const found = /^(\d{1,2}) (\*|\d{1,2}) \* \* (\*|1-5|[0-6])$/.exec(cron.trim())
  const [, minute = '0', hour = '6', day = '*'] = found ?? []
  const choice = { time: `${two(hour === '*' ? 0 : hour)}:${two(minute)}`, weekday: /^\d$/.test(day) ? Number(day) : 1, cron }
  if (!found || Number(minute) > 59 || Number(hour) > 23 || (hour === '*' && day !== '*'))
    return { ...choice, time: '06:00', preset: 'custom' }
  if (hour === '*') return { ...choice, preset: 'hourly' }
  if (day === '*') return { ...choice, preset: 'daily' }
  return { ...choice, preset: day === '1-5' ? 'weekdays' : 'weekly' }
}

/** The expression of a choice; undefined while its time is none. */
export const cronOf = ({ preset, time, weekday, cron }: Choice): string | undefined => {
  if (preset === 'custom') return /^(\S+\s+){4}\S+$/.test(cron.trim()) ? cron.trim() : undefined
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (hour === undefined || minute === undefined) return undefined
  const start = `${Number(minute)} ${preset === 'hourly' ? '*' : Number(hour)} * *`
  return { hourly: `${start} *`, daily: `${start} *`, weekdays: `${start} 1-5`, weekly: `${start} ${weekday}` }[preset]
}
