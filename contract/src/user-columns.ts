/** Columns of an export of people: every field of the form model, and what the directory knows beside. */
import { z } from 'zod'
import { userFieldNames } from './user-fields.ts'

export const EXPORT_COLUMNS = [
  ...userFieldNames,
  'status',
  'siteName',
  'connectorName',
  'locked',
  'vip',
  'overridden',
  'invitedAt',
  'claimedAt',
  'deactivatedAt',
  'createdAt',
  'updatedAt',
] as const
export type ExportColumn = (typeof EXPORT_COLUMNS)[number]
export const ExportColumns = z.enum(EXPORT_COLUMNS as unknown as [ExportColumn, ...ExportColumn[]])
