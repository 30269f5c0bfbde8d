/**
 * The closed list of problems a call can answer with. Words live in `locales/<locale>/problems.json` under the same codes;
 * a code without words fails the tests.
 */
import { z } from 'zod'

/** Problem code → HTTP status. */
export const PROBLEMS = {
  SESSION_EXPIRED: 401,
  TOKEN_INVALID: 401,
  FORBIDDEN: 403,
  SCOPE_MISSING: 403,
  PERMISSION_MISSING: 403,
  NOT_FOUND: 404,
  INVALID: 400,
  TOKEN_FOREIGN: 400,
  BODY_UNREADABLE: 400,
  BODY_TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  MAINTENANCE: 423,
  // connectors
  CONNECTOR_NAME_TAKEN: 409,
  CONNECTOR_KIND_WRONG: 409,
  CONNECTOR_DISABLED: 409,
  DEFINITION_UNKNOWN: 400,
  TARGET_UNREACHABLE: 502,
  // people
  EMFB013: 409,
  USER_LOCKED: 423,
  USER_NOT_MODIFIABLE: 403,
  USER_CHANGED: 412,
  NO_DATA: 422,
  TOO_MANY_FOR_XLSX: 422,
  // sites, settings and lists
  SITE_NAME_TAKEN: 409,
  SITE_GROUP_NAME_TAKEN: 409,
  SITE_HAS_PEOPLE: 409,
  DEFAULTS_EXIST: 409,
  LOOKUP_VALUE_TAKEN: 409,
  VIEW_NAME_TAKEN: 409,
  TOO_MANY_ACTIVE_FIELDS: 422,
  // files
  FILE_MISSING: 400,
  FILE_TOO_LARGE: 413,
  FILE_EMPTY: 422,
  FILE_NOT_TABULAR: 422,
  FILE_DUPLICATE_HEADER: 422,
  FILE_HEADER_BLANK: 422,
  FILE_CELL_TOO_LARGE: 422,
  FILE_ROW_TOO_LONG: 422,
  FILE_QUOTE_OPEN: 422,
  FILE_XLSX_TOO_LARGE: 422,
  FILE_XLSX_BROKEN: 422,
  FILE_ENCODING_UNKNOWN: 422,
  FILE_GONE: 410,
  // mapping and runs
  MAPPING_INCOMPLETE: 422,
  MAPPING_COLUMN_MISSING: 422,
  MAPPING_ABSENT: 409,
  RUN_ACTIVE: 409,
  RUN_STATE_WRONG: 409,
  RUN_REASON_REQUIRED: 422,
  RUN_STALE: 409,
  RUN_TRIAL: 409,
  RUN_NOT_UNDOABLE: 409,
} as const

export type ProblemCode = keyof typeof PROBLEMS
export const problemCodes = Object.keys(PROBLEMS) as ProblemCode[]

/** Problems any call may answer with; endpoints name only what is theirs on top. */
export const COMMON_PROBLEMS = [
  'SESSION_EXPIRED',
  'TOKEN_INVALID',
  'SCOPE_MISSING',
  'FORBIDDEN',
  // whoever may not sign in may not call
  'PERMISSION_MISSING',
  'NOT_FOUND',
  'INVALID',
  'BODY_UNREADABLE',
  'BODY_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly ProblemCode[]

/** Why a file was not taken. */
export const FILE_PROBLEMS = [
  'FILE_MISSING',
  'FILE_TOO_LARGE',
  'FILE_EMPTY',
  'FILE_NOT_TABULAR',
  'FILE_DUPLICATE_HEADER',
  'FILE_HEADER_BLANK',
  'FILE_CELL_TOO_LARGE',
  'FILE_ROW_TOO_LONG',
  'FILE_QUOTE_OPEN',
  'FILE_XLSX_TOO_LARGE',
  'FILE_XLSX_BROKEN',
  'FILE_ENCODING_UNKNOWN',
] as const satisfies readonly ProblemCode[]

/** The body of every answer that is not a success. `fields` maps a field name to its messages, `params` fills the words. */
export const ProblemBody = z.object({
  code: z.enum(problemCodes as [ProblemCode, ...ProblemCode[]]),
  message: z.string(),
  correlationId: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** What stands there now, where a call lost a race (`USER_CHANGED`: a `UserConflict`). */
  current: z.unknown().optional(),
})
export type ProblemBody = z.infer<typeof ProblemBody>
