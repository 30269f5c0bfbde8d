import { ConnectorError } from '../kit/problem.ts'
import type { FolderRules } from './fetched-folder.ts'

export const DELIVERIES = ['upload', 'folder', 'https', 'sftp'] as const
export const AUTHS = ['none', 'basic', 'bearer', 'header'] as const
export const SIGN_INS = ['password', 'key'] as const
export const READINESS = ['stable', 'manifest'] as const

/** A file connector's settings, taken apart as they are stored: plain properties and decrypted secrets. */
export interface FileSettings {
  readonly properties: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
}

/** SOURCE_SETTINGS_INVALID for a setting that is missing or cannot be used. */
export const invalidSetting = (property: string): ConnectorError =>
  new ConnectorError({ code: 'SOURCE_SETTINGS_INVALID', params: { property }, detail: property })

/** A text that must be there. */
export const textSetting = (value: unknown, property: string): string => {
  if (typeof value !== 'string' || value === '') throw invalidSetting(property)
  return value
}

/** One of the values; the first when nothing is set. */
export const choiceSetting = <T extends string>(value: unknown, property: string, values: readonly [T, ...T[]]): T => {
  if (value === undefined || value === null || value === '') return values[0]
  const found = values.find((candidate) => candidate === value)
  if (found === undefined) throw invalidSetting(property)
  return found
}

/** How files come to this connector. */
export const deliveryOf = ({ properties }: Pick<FileSettings, 'properties'>): (typeof DELIVERIES)[number] =>
  choiceSetting(properties.delivery, 'delivery', DELIVERIES)

/** Which files of a folder are meant. */
export const folderRules = ({ properties }: FileSettings): FolderRules => ({
  pattern: typeof properties.pattern === 'string' && properties.pattern !== '' ? properties.pattern : '*.csv',
  ready: choiceSetting(properties.ready, 'ready', READINESS),
  archive: properties.archive !== false,
})
