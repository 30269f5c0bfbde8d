import { EXPORT_FORMATS } from '@instep/contract/exports.ts'
import { FileColumns } from '@instep/contract/user-columns.ts'
import { USER_SORTS, UserFilter } from '@instep/contract/users.ts'
import { z } from 'zod'

/** The kind of run that writes a list of people to a file. */
export const EXPORT_RUN = 'exportUsers'

/** What an export was asked to do, as its run keeps it; `sites` is what its starter saw. */
export const ExportInput = z.object({
  format: z.enum(EXPORT_FORMATS),
  connectorId: z.string().optional(),
  filter: UserFilter,
  userIds: z.array(z.string()).optional(),
  exceptIds: z.array(z.string()).optional(),
  sort: z.enum(USER_SORTS),
  columns: z.array(FileColumns),
  locale: z.string(),
  sites: z.union([z.literal('all'), z.array(z.string())]),
  fileName: z.string(),
})
export type ExportInput = z.infer<typeof ExportInput>
