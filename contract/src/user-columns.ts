/** Columns of an export of people: every field of the form model, what the directory knows beside, and the tenant's own security attributes. */
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

/** A security attribute of the tenant as a column, by its id. */
export type AttributeColumn = `claimFields.${string}`
export const attributeColumn = (id: string): AttributeColumn => `claimFields.${id}`

const AttributeColumns = z.templateLiteral(['claimFields.', z.uuid()]) as z.ZodType<AttributeColumn>
export type FileColumn = ExportColumn | AttributeColumn
export const FileColumns = z.union([z.enum(EXPORT_COLUMNS as unknown as [ExportColumn, ...ExportColumn[]]), AttributeColumns])
