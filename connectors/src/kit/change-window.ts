/** When a fetch asks for everybody and when for changes, and what the next one has to know. */

import type { JsonValue } from './fetching-source.ts'
import { hashDocument } from './hash-document.ts'

const DAY = 86_400_000

/** What a fetch leaves for the next one. */
export interface ChangeMark {
  /** Changes are asked for from here: an instant (ISO 8601), or what the source counts by. */
  readonly since: string
  /** When everybody was last fetched. */
  readonly fullAt: string
  /** Of the settings that decide what a record looks like: with others, what came before says nothing. */
  readonly settings: string
  /** The columns so far: a file of few changes has them all, or a mapped one would seem lost. */
  readonly columns: readonly string[]
}

/** A short name of settings, equal for equal ones. */
export const fingerprint = (settings: unknown): string => hashDocument(settings).slice(0, 24)

const isMark = (value: unknown): value is ChangeMark => {
  const mark = value as Partial<ChangeMark> | null
  return (
    typeof mark === 'object' &&
    mark !== null &&
    [mark.since, mark.fullAt, mark.settings].every((text) => typeof text === 'string') &&
    Array.isArray(mark.columns) &&
    mark.columns.every((name) => typeof name === 'string')
  )
}

/**
 * The mark to ask for changes from; undefined where everybody has to be fetched: there is no mark, the settings are others, or the last full fetch is
 * `fullEveryDays` ago, because what was deleted shows in no changes.
 */
export const changesFrom = (
  watermark: JsonValue,
  { settings, fullEveryDays, now }: { settings: string; fullEveryDays: number; now: Date },
): ChangeMark | undefined => {
  if (!isMark(watermark) || watermark.settings !== settings) return undefined
  const age = now.getTime() - Date.parse(watermark.fullAt)
  return age >= 0 && age < fullEveryDays * DAY ? watermark : undefined
}

/** The mark as JSON. */
export const markOf = (mark: ChangeMark): JsonValue => ({ ...mark, columns: [...mark.columns] })

/** Some minutes before an instant: what was being written while the last fetch read is asked for again. */
export const minutesBefore = (instant: Date, minutes: number): Date => new Date(instant.getTime() - minutes * 60_000)
