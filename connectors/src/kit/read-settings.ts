import { invalidSetting } from './source-failure.ts'

/** A source's settings, taken apart as they are stored: plain properties and decrypted secrets. */
export interface StoredSettings {
  readonly properties: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
}

/** Whether a setting says nothing. */
export const isUnset = (value: unknown): boolean => value === undefined || value === null || value === ''

/** One of the values; the first when nothing is set. Throws SOURCE_SETTINGS_INVALID. */
export const choice = <T extends string>(settings: StoredSettings, name: string, values: readonly [T, ...T[]]): T => {
  const value = settings.properties[name]
  if (isUnset(value)) return values[0]
  const found = values.find((candidate) => candidate === value)
  if (found === undefined) throw invalidSetting(name)
  return found
}

/** A text, trimmed; the fallback when nothing is set. Throws SOURCE_SETTINGS_INVALID. */
export const text = (settings: StoredSettings, name: string, fallback = ''): string => {
  const value = settings.properties[name]
  if (isUnset(value)) return fallback
  if (typeof value !== 'string') throw invalidSetting(name)
  return value.trim()
}

/** A whole number within bounds; the fallback when nothing is set. Throws SOURCE_SETTINGS_INVALID. */
export const wholeNumber = (settings: StoredSettings, name: string, bounds: { min: number; max: number; fallback: number }): number => {
  const value = settings.properties[name]
  if (isUnset(value)) return bounds.fallback
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < bounds.min || number > bounds.max) throw invalidSetting(name)
  return number
}

/** A secret that has to be there. Throws SOURCE_SETTINGS_INVALID. */
export const secret = (settings: StoredSettings, name: string): string => {
  const value = settings.secrets[name] ?? ''
  if (value === '') throw invalidSetting(name)
  return value
}
